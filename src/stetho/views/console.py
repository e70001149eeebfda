"""Where views are drawn: as wide as the terminal, unbounded in a pipe, in colour only where that is wanted."""

import io
import os
import sys
import textwrap
from typing import TYPE_CHECKING, TextIO

from stetho.views.footer import columns_of
from stetho.views.notebook import WIDTH_OF_A_CELL, is_notebook

if TYPE_CHECKING:
    from rich.console import Console

WIDTH_OF_A_PIPE = 10_000
NAME = "stetho: "
NARROWEST = 30


def console_for(file: TextIO) -> "Console":
    """A console on a stream; `NO_COLOR`, `FORCE_COLOR`, `TERM` and `COLUMNS` are respected."""
    from rich.console import Console

    is_wide = not file.isatty() and not os.environ.get("COLUMNS", "").isdigit()
    width = (WIDTH_OF_A_CELL if is_notebook() else WIDTH_OF_A_PIPE) if is_wide else None
    # Left to itself, rich makes a picture of its own of every line in a notebook.
    return Console(
        file=file, width=width, force_jupyter=False, highlight=False, markup=False, emoji=False, soft_wrap=True
    )


def is_unbounded(file: TextIO) -> bool:
    """Whether a stream has no width and no colour: a pipe, where grep and cut are to see whole rows.

    >>> import io
    >>> is_unbounded(io.StringIO())
    True
    """
    is_set = os.environ.get("COLUMNS", "").isdigit() or os.environ.get("FORCE_COLOR")
    return not (file.isatty() or is_set or is_notebook())


def spoken(words: str, file: TextIO) -> str:
    """What we say beside a program's output: under our name, on a terminal broken between words and not inside them.

    Anywhere else it is one line, for grep. Paths and commands are words, and stay whole.

    >>> spoken("one line", io.StringIO())
    'stetho: one line'
    """
    if not (isinstance(file, io.TextIOWrapper) and file.isatty()):
        return NAME + words
    width = max(columns_of(file) - 1, NARROWEST)
    lines = [
        part
        for line in words.splitlines() or [""]
        for part in textwrap.wrap(line, width - len(NAME), break_long_words=False, break_on_hyphens=False) or [""]
    ]
    return NAME + f"\n{' ' * len(NAME)}".join(lines)


def speak(words: str) -> None:
    """Say it on stderr."""
    print(spoken(words, sys.stderr), file=sys.stderr)
