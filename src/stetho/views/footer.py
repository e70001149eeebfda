"""One line of ours kept below a program's own output on a terminal, and out of its way.

The program's streams stay the same objects: only `write` and `flush` are wrapped while the line is on, and only where
they lead to the same terminal. Before the program writes, the line is erased; afterwards it is drawn again.
Standard library only: this is loaded before the program begins.
"""

import builtins
import contextlib
import io
import math
import os
import re
import threading
import time
from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import TextIO

from stetho.capture.console import is_open
from stetho.views.text import clipped

termios: ModuleType | None
try:
    import termios
except ImportError:  # not on Windows
    termios = None

SECONDS_BETWEEN_DRAWINGS = 0.05
SECONDS_OF_DEFERENCE = 2.0
COLOURS = re.compile(r"\x1b\[[\d;]*m")
MOVES_THE_CURSOR = re.compile(r"\x1b(\[[\d;]*[A-HJfsu]|\[\?\d+[hl]|[78M])")

GAP = "  "
DIM, PLAIN = "\x1b[2m", "\x1b[0m"


class Footer:
    """The line and its terminal."""

    def __init__(self, stream: io.TextIOWrapper) -> None:
        self.stream = stream
        self.lock = threading.RLock()
        self.text = ""
        self._erasure = ""
        self._is_fresh = True  # the cursor stands at the beginning of an empty row
        self._column = 0
        self._columns = 80
        self._drawn_at = -math.inf
        self._away_until = -math.inf
        self._wrapped: list[io.TextIOWrapper] = []
        self._input: Callable[..., str] | None = None

    def attach(self, *streams: TextIO | None) -> None:
        """Begin to make way for what the program writes to these streams and asks."""
        for stream in streams:
            if type(stream) is io.TextIOWrapper and stream not in self._wrapped and same_terminal(stream, self.stream):
                self._wrapped.append(stream)
                vars(stream)["write"] = partial(self._write_of_program, stream)
                vars(stream)["flush"] = partial(self._flush_of_program, stream)
        self._input = builtins.input
        builtins.input = self._input_of_program

    def detach(self) -> None:
        """Leave the terminal and the streams as they were."""
        with self.lock:
            self._erase()
            self.abandon()

    def abandon(self) -> None:
        """Unwrap the streams and leave the terminal to whoever else draws on it."""
        self.text = self._erasure = ""
        for stream in self._wrapped:
            vars(stream).pop("write", None)
            vars(stream).pop("flush", None)
        self._wrapped.clear()
        if self._input and builtins.input == self._input_of_program:
            builtins.input = self._input

    def show(self, text: str) -> None:
        """Draw the line, unless the program needs the terminal for itself."""
        with self.lock:
            self.text = text
            self._draw_if_due(0.0)

    def print_above(self, line: str) -> None:
        """Print a line that stays, above the one that does not."""
        with self.lock:
            self._erase()
            self._put(("" if self._is_fresh else "\n") + line + "\n")
            self._follow("\n")

    def _write_of_program(self, stream: io.TextIOWrapper, text: str, /) -> int:
        if not text or not isinstance(text, str):
            return io.TextIOWrapper.write(stream, text)
        with self.lock:
            if not self._erasure and text.isprintable():
                # A loud program comes here several times for each line it prints: the usual way is a short one.
                self._is_fresh = False
                self._column += len(text)
                return io.TextIOWrapper.write(stream, text)
            before, self._column = self._column, column_after(text, self._column)
            ends_row = "\n" in text
            # A progress bar that stays within its row does not touch the one below.
            if self._erasure and (self._is_fresh or ends_row or max(before, self._column) >= self._columns):
                self._erase()
            written = io.TextIOWrapper.write(stream, text)
            self._follow(text)
            if ends_row or "\r" in text:  # a part of a line waits in the stream's buffer for the rest
                self._draw_if_due(SECONDS_BETWEEN_DRAWINGS)
            return written

    def _flush_of_program(self, stream: io.TextIOWrapper, /) -> None:
        with self.lock:
            io.TextIOWrapper.flush(stream)
            self._draw_if_due(SECONDS_BETWEEN_DRAWINGS)

    def _follow(self, text: str) -> None:
        """Keep in mind where a text leaves the cursor."""
        self._is_fresh = text.endswith("\n")
        if "\x1b" in text and MOVES_THE_CURSOR.search(text):
            # It draws something of its own, larger than a line: ours would be in the midst of it.
            self._erase()
            self._away_until = max(self._away_until, time.monotonic() + SECONDS_OF_DEFERENCE)

    def _draw_if_due(self, pause: float) -> None:
        if not self.text or is_open():
            return
        due = max(self._away_until, self._drawn_at + pause)
        if time.monotonic() >= due and is_ours_to_draw_on(self.stream):
            self._draw()

    def _input_of_program(self, prompt: object = "", /) -> str:
        assert self._input is not None
        with self.lock:
            self._erase()
            self._away_until = math.inf
        try:
            return self._input(prompt)
        finally:
            self._away_until = -math.inf
            self._is_fresh, self._column = True, 0

    def _draw(self) -> None:
        self._columns = columns_of(self.stream)
        if self._column >= self._columns:  # the cursor hangs at the edge, and moving it would make it let go
            return
        line = clipped(self.text, self._columns - 1 - len(GAP))
        line = line if os.environ.get("NO_COLOR") else f"{DIM}{line}{PLAIN}"
        if self._is_fresh:
            # The cursor stays behind the line: what comes unasked, as the `Killed` of a shell, is written after it.
            self._put(f"\r{line}\x1b[K{GAP}")
            self._erasure = "\r\x1b[K"
        else:
            # Below the unfinished line of the program: make room (down and up again keeps the column), draw, come back.
            self._put(f"\x1bD\x1bM\x1b7\x1b[B\r{line}\x1b[K\x1b8")
            self._erasure = "\x1b7\x1b[B\r\x1b[J\x1b8"
        self._drawn_at = time.monotonic()

    def _erase(self) -> None:
        if self._erasure:
            self._put(self._erasure)
            self._erasure = ""

    def _put(self, text: str) -> None:
        with contextlib.suppress(OSError, ValueError):  # the terminal is gone, or the program has closed the stream
            io.TextIOWrapper.write(self.stream, text)
            io.TextIOWrapper.flush(self.stream)


def column_after(text: str, column: int) -> int:
    """Where a text leaves the cursor that stood in `column`; what is too long for a row counts on.

    >>> column_after("abc", 2), column_after("abc\\rx", 2), column_after("\\x1b[1mbold", 0), column_after("a\\n", 5)
    (5, 1, 4, 0)
    """
    end = max(text.rfind("\r"), text.rfind("\n"))
    rest = text[end + 1 :]
    return (column if end < 0 else 0) + len(COLOURS.sub("", rest) if "\x1b" in rest else rest)


def same_terminal(stream: io.TextIOWrapper, other: io.TextIOWrapper) -> bool:
    """Whether two streams lead to one terminal."""
    with contextlib.suppress(OSError, ValueError):
        return stream.isatty() and os.fstat(stream.fileno()).st_rdev == os.fstat(other.fileno()).st_rdev
    return False


def is_ours_to_draw_on(stream: io.TextIOWrapper) -> bool:
    """Whether the program is in the foreground of its terminal, and nobody reads single keys from it."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        if os.tcgetpgrp(stream.fileno()) != os.getpgrp():
            return False
    with contextlib.suppress(OSError, ValueError):
        return termios is None or bool(termios.tcgetattr(stream.fileno())[3] & termios.ICANON)
    return True


def columns_of(stream: io.TextIOWrapper) -> int:
    """The width of the terminal."""
    with contextlib.suppress(OSError, ValueError):
        return os.get_terminal_size(stream.fileno()).columns or 80
    return 80
