"""Where views are drawn: as wide as the terminal, unbounded in a pipe, in colour only where that is wanted."""

import os
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.console import Console

WIDTH_OF_A_PIPE = 10_000


def console_for(file: TextIO) -> "Console":
    """A console on a stream; `NO_COLOR`, `FORCE_COLOR`, `TERM` and `COLUMNS` are respected."""
    from rich.console import Console

    # A pipe has no width: nothing is folded there, so that grep and cut see whole rows.
    width = None if file.isatty() or os.environ.get("COLUMNS", "").isdigit() else WIDTH_OF_A_PIPE
    return Console(file=file, width=width, highlight=False, markup=False, emoji=False, soft_wrap=True)
