"""For tests: windows and the contract for people who write checks, and models that are held to a reference."""

from stetho.testing.contract import CheckContract
from stetho.testing.odd_windows import odd_windows
from stetho.testing.sameness import assert_same_as
from stetho.testing.windows import make_window

__all__ = ["CheckContract", "assert_same_as", "make_window", "odd_windows"]
