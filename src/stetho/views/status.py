"""The voice of stetho while a program runs: single lines on stderr, and a live status line where it is a terminal.

Standard library only: this is loaded before the program begins.
"""

import io
import os
import sys
import threading
import weakref
from collections.abc import Callable
from typing import TextIO

from stetho.records import Status
from stetho.views import text
from stetho.views.console import spoken
from stetho.views.footer import Footer

SECONDS_BETWEEN_UPDATES = 0.5


def status_text(status: Status) -> str:
    """The live line for these numbers.

    >>> status_text(Status(step=1234, loss=0.43219, steps_per_second=52.13, overhead=0.0183, tier="full"))
    'stetho · step 1,234 · loss 0.4322 · 52.1 steps/s · watching 1.8 %'
    """
    return (
        f"stetho · step {text.count(status.step)} · loss {text.number(status.loss)} · "
        f"{text.rate(status.steps_per_second)} steps/s · watching {text.share(status.overhead)}"
    )


class StatusLine:
    """Says lines apart from the program's output, and keeps the status below it between `start` and `stop`.

    >>> line = StatusLine(io.StringIO())
    >>> line.say("one line")
    >>> line.stream.getvalue()
    'stetho: one line\\n'
    """

    def __init__(self, stream: TextIO | None = None, *, quiet: bool = False) -> None:
        self.stream = sys.stderr if stream is None else stream
        self.is_silent = os.environ.get("RANK", "0") != "0" or self.stream is None
        self.footer = None if quiet or self.is_silent else _footer_of(self.stream)
        self._read: Callable[[], Status | None] | None = None
        self._over = threading.Event()
        self._thread: threading.Thread | None = None

    def say(self, line: str) -> None:
        """Print one line of ours, unless another rank speaks for all."""
        if self.is_silent:
            return
        if self.footer:
            self.footer.print_above(spoken(line, self.stream))
            return
        try:
            self.stream.write(f"{spoken(line, self.stream)}\n")
            self.stream.flush()
        except (OSError, ValueError):  # closed by the program or by the reader of the pipe: nobody listens
            self.is_silent = True

    def start(self, read: Callable[[], Status | None]) -> None:
        """Begin to show what `read` gives."""
        if self.footer:
            self._read = read
            self.footer.attach(sys.stdout, sys.stderr)
            _watch_forks(self)
            self._begin()

    def stop(self) -> None:
        """Erase the status line and leave the program's streams as they were."""
        _LIVE.discard(self)
        self._end()
        self._read = None
        if self.footer:
            self.footer.detach()

    def before_fork(self) -> None:
        """End the thread and hold all writing: a child must not inherit a lock that nobody will release."""
        self._end()
        if self.footer:
            self.footer.lock.acquire()

    def after_fork_in_parent(self) -> None:
        """Go on as before."""
        if self.footer:
            self.footer.lock.release()
        if self._read:
            self._begin()

    def after_fork_in_child(self) -> None:
        """Leave the terminal to the parent."""
        if self.footer:
            self.footer.lock.release()
            self.footer.abandon()
        self.footer = self._read = None

    def _begin(self) -> None:
        self._over.clear()
        self._thread = threading.Thread(target=self._live, name="stetho status", daemon=True)
        self._thread.start()

    def _end(self) -> None:
        self._over.set()
        if self._thread and self._thread is not threading.current_thread():
            self._thread.join()
        self._thread = None

    def _live(self) -> None:
        while not self._over.wait(SECONDS_BETWEEN_UPDATES):
            status = self._read() if self._read else None
            if status and self.footer:
                self.footer.show(status_text(status))


def _footer_of(stream: TextIO) -> Footer | None:
    """A footer where the stream is a terminal that understands more than letters."""
    if (
        isinstance(stream, io.TextIOWrapper)
        and not stream.closed
        and stream.isatty()
        and os.environ.get("TERM") != "dumb"
    ):
        return Footer(stream)
    return None


_LIVE: weakref.WeakSet[StatusLine] = weakref.WeakSet()
_is_watching_forks = False


def _watch_forks(line: StatusLine) -> None:
    """Let a line know about forks; python is told once, since it offers no way to take such a function back."""
    global _is_watching_forks
    _LIVE.add(line)
    if not _is_watching_forks and hasattr(os, "register_at_fork"):
        _is_watching_forks = True
        os.register_at_fork(
            before=lambda: _tell_all(StatusLine.before_fork),
            after_in_parent=lambda: _tell_all(StatusLine.after_fork_in_parent),
            after_in_child=lambda: _tell_all(StatusLine.after_fork_in_child),
        )


def _tell_all(method: Callable[[StatusLine], None]) -> None:
    for line in tuple(_LIVE):
        method(line)
