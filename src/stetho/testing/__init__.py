"""For people who write checks: windows made by hand, and the contract that every check keeps."""

from stetho.testing.windows import make_window

__all__ = ["make_window"]
