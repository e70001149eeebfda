"""The last words of a program that is its own witness: `stetho.watch` begins too late to fork one.

A process with threads must not be forked, so the dying process writes its stacks into a file of the run by itself. The
number of the last step stands at the beginning of that file, in memory that the system writes out whatever happens to
the process. A run that ends well has no such file.
"""

import faulthandler
import mmap
import os
import signal
from contextlib import suppress
from pathlib import Path

from stetho.capture import native_stack
from stetho.capture.processes import handles
from stetho.capture.witness import Witness

LAST_WORDS_FILE = "last-words.txt"
"""Also in store/format.py, which a program that is only begun must not load."""
STEP = b"step %20d\n"
FATAL = (signal.SIGSEGV, signal.SIGFPE, signal.SIGABRT, signal.SIGILL)


class OwnWitness(Witness):
    """A witness without another process: it follows the steps, and the rest is in the file."""

    def __init__(self) -> None:
        super().__init__()
        self._file = -1

    def start(self) -> None:
        """There is nothing to begin before the run has a folder."""

    def follow(self, path: Path | None, step: int) -> None:
        """A step is done; the run has a folder, or none yet."""
        if path is not None and path is not self._path and os.getpid() == self._process:
            self._path = path
            # Whatever cannot be written or taken: the program runs without a witness.
            with suppress(OSError, ValueError):
                self._begin(path)
        if self._page is not None:
            self._page[:] = STEP % step

    def stop(self) -> None:
        """Give everything back; the file goes. In a forked child, leave it to the parent."""
        if self._file < 0 or os.getpid() != self._process:
            return
        native_stack.disable()
        faulthandler.disable()
        self._page = None
        os.close(self._file)
        self._file = -1
        with suppress(OSError):
            (self._path or Path()).joinpath(LAST_WORDS_FILE).unlink()

    def _begin(self, path: Path) -> None:
        if self._file >= 0 or faulthandler.is_enabled() or any(handles(self._process, number) for number in FATAL):
            # The program, a notebook or a runtime in this process has its own way to die, and keeps it.
            return
        file = os.open(path / LAST_WORDS_FILE, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o644)
        os.write(file, STEP % 0)
        self._page = mmap.mmap(file, len(STEP % 0))
        self._file = file
        faulthandler.enable(file, all_threads=True)
        native_stack.enable(file)
