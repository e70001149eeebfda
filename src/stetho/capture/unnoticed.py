"""What warnings do not notice: functions of ours that stand around those of the framework, and whatever we run again.

A warning names the line that called the function which warns, by counting frames: with ours in between, it would name
ours. The interpreter leaves out frames of files that bear the name of its own import system, and so ours bear it too.
"""

import contextlib
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import get_ident
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
        file = unnoticed_file(function.__code__.co_filename)
        function.__code__ = function.__code__.replace(co_filename=file)
    return function


def unnoticed_file(file: str) -> str:
    """The name that such functions of a file of ours bear in place of its own.

    >>> unnoticed_file(__file__) == __file__
    False
    """
    return _UNNOTICED + file.removeprefix(_OWN)


@contextlib.contextmanager
def without_warnings() -> Iterator[None]:
    """Nobody is warned of anything meanwhile, and afterwards nobody is warned again of what was said before.

    Warnings that are shown once are counted by the version of the filters; `catch_warnings` raises it, and a program
    would then be warned of each of its lines again after every look of ours.

    >>> with without_warnings():
    ...     warnings.warn("old")
    """
    filters: Any = warnings.filters
    kept = list(filters)
    filters[:] = [("ignore", None, Warning, None, 0)]
    try:
        yield
    finally:
        filters[:] = kept


@contextlib.contextmanager
def without_logging() -> Iterator[None]:
    """Nothing that this thread logs reaches a handler meanwhile; others go on.

    >>> import logging
    >>> with without_logging():
    ...     logging.getLogger("demo").error("said twice")
    """
    logging = sys.modules.get("logging")
    if logging is None:
        yield
        return
    handle, own = logging.Logger.handle, get_ident()
    logging.Logger.handle = lambda logger, record: None if get_ident() == own else handle(logger, record)
    try:
        yield
    finally:
        logging.Logger.handle = handle
