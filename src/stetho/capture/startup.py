"""The user's own code that runs before the program begins: `--startup module:function`."""

import importlib
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from stetho.errors import UsageError


def call_startup(place: str, command: Sequence[str]) -> object:
    """Call the function at `module:function`, found as the program itself would find it.

    >>> call_startup("os:getpid", []) == os.getpid()
    True
    """
    module, _, name = place.partition(":")
    with _importable_from(command):
        try:
            function = getattr(importlib.import_module(module), name)
        except (ImportError, AttributeError) as error:
            raise UsageError(f"--startup: `{place}` cannot be loaded ({error}); give module:function") from error
        return function()


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
