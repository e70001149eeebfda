"""Functions of ours that stand around those of the framework, and that warnings do not notice.

A warning names the line that called the function which warns, by counting frames: with ours in between, it would name
ours. The interpreter leaves out frames of files that bear the name of its own import system, and so ours bear it too.
"""

from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])
_OWN = str(Path(__file__).resolve().parent.parent)
_UNNOTICED = str(Path(_OWN) / "importlib_bootstrap")


def unnoticed(function: Function) -> Function:
    """The same function; frames of it are not counted by warnings. Those that are not ours stay as they are.

    >>> import warnings
    >>> def warns(): warnings.warn("old", stacklevel=2)
    >>> unnoticed(warns) is warns
    True
    """
    if isinstance(function, FunctionType) and function.__code__.co_filename.startswith(_OWN):
        file = _UNNOTICED + function.__code__.co_filename.removeprefix(_OWN)
        function.__code__ = function.__code__.replace(co_filename=file)
    return function
