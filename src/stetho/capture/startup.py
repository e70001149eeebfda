"""The user's own functions, named on the command line: `--startup module:function` and `--callback`."""

import importlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from stetho.errors import UsageError


def call_startup(place: str, command: Sequence[str]) -> object:
    """Call the function at `module:function`, found as the program itself would find it.

    >>> call_startup("os:getpid", []) == os.getpid()
    True
    """
    with _importable_from(command):
        return load_function("--startup", place)()


def load_callback(place: str, command: Sequence[str]) -> Callable[..., object]:
    """The function at `module:function`, found as the program itself would find it, to be called later."""
    with _importable_from(command):
        return load_function("--callback", place)


def load_function(option: str, place: str) -> Callable[..., object]:
    """The function that an option names."""
    module, _, name = place.partition(":")
    try:
        function: Callable[..., object] = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise UsageError(f"{option}: `{place}` cannot be loaded ({error}); give module:function") from error
    return function


@contextmanager
def _importable_from(command: Sequence[str]) -> Iterator[None]:
    """Let the user's own modules be found as the program will find them."""
    script = command[0] if command and command[0] != "-m" else ""
    folders = [os.getcwd(), *([str(Path(script).resolve().parent)] if script else [])]
    before = list(sys.path)
    sys.path[:0] = folders
    try:
        yield
    finally:
        sys.path[:] = before
