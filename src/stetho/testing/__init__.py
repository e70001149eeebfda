"""For people who write checks: windows made by hand, and the contract that every check keeps."""

from stetho.testing.contract import CheckContract
from stetho.testing.odd_windows import odd_windows
from stetho.testing.windows import make_window

__all__ = ["CheckContract", "make_window", "odd_windows"]
