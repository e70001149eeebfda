"""One line of ours kept below a program's own output on a terminal, and out of its way.

The program's streams stay the same objects: only their `write` is wrapped while the line is on, and only where they
lead to the same terminal. Before the program writes, the line is erased; afterwards it is drawn again.
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

from stetho.views.text import clipped

termios: ModuleType | None
try:
    import termios
except ImportError:  # not on Windows
    termios = None

SECONDS_BETWEEN_DRAWINGS = 0.1
SECONDS_OF_DEFERENCE = 2.0
MOVES_THE_CURSOR = re.compile(r"\x1b(\[[\d;]*[A-HJfsu]|\[\?\d+[hl]|[78M])")

DIM, PLAIN = "\x1b[2m", "\x1b[0m"


class Footer:
    """The line and its terminal."""

    def __init__(self, stream: io.TextIOWrapper) -> None:
        self.stream = stream
        self.lock = threading.RLock()
        self.text = ""
        self._erasure = ""
        self._is_fresh = True
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
        self._wrapped.clear()
        if self._input and builtins.input == self._input_of_program:
            builtins.input = self._input

    def show(self, text: str) -> None:
        """Draw the line, unless the program needs the terminal for itself."""
        with self.lock:
            self.text = text
            if time.monotonic() >= self._away_until and is_ours_to_draw_on(self.stream):
                self._erase()
                self._draw()

    def print_above(self, line: str) -> None:
        """Print a line that stays, above the one that does not."""
        with self.lock:
            self._erase()
            self._put(("" if self._is_fresh else "\n") + line + "\n")
            self._is_fresh = True

    def _write_of_program(self, stream: io.TextIOWrapper, text: str, /) -> int:
        with self.lock:
            self._erase()
            written = io.TextIOWrapper.write(stream, text)
            if text:
                self._is_fresh = text.endswith("\n")
            now = time.monotonic()
            if MOVES_THE_CURSOR.search(text):
                # It draws something of its own, larger than a line: ours would be in the midst of it.
                self._away_until = max(self._away_until, now + SECONDS_OF_DEFERENCE)
            is_out = "\n" in text or "\r" in text  # a part of a line waits in the stream's buffer for the rest
            if is_out and self.text and now >= max(self._away_until, self._drawn_at + SECONDS_BETWEEN_DRAWINGS):
                self._draw()
            return written

    def _input_of_program(self, prompt: object = "", /) -> str:
        assert self._input is not None
        with self.lock:
            self._erase()
            self._away_until = math.inf
        try:
            return self._input(prompt)
        finally:
            self._away_until = -math.inf
            self._is_fresh = True

    def _draw(self) -> None:
        line = clipped(self.text, columns_of(self.stream) - 1)
        line = line if os.environ.get("NO_COLOR") else f"{DIM}{line}{PLAIN}"
        if self._is_fresh:
            self._put(f"\r{line}\x1b[K\r")
            self._erasure = "\x1b[K"
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
            self.stream.flush()


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
