"""The program's side of the witness: a small process beside the program that outlives it, and tells how it died.

A dying process can write its stacks to one place only, through `faulthandler`, and a killed one writes nothing. So the
stacks go into a pipe; at its other end the witness puts them into the run and on stderr. It sees the program's last
step in a page of shared memory. Standard library only: this begins before the program does.
"""

import faulthandler
import mmap
import os
import signal
import struct
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from stetho.capture import native_stack
from stetho.capture.bystander import Bystander

STEP = struct.Struct("q")
HIGH_DESCRIPTOR = 200
"""The pipe's number, out of the way of those that a program opens itself."""


class Witness:
    """Starts the other process, tells it what it must know, and sends it home at the end."""

    def __init__(self, hang: float | None = None, make_run: Callable[[], Path] | None = None) -> None:
        self._hang = hang
        self._make_run = make_run
        self._process = os.getpid()
        self._pipe = -1
        self._page: mmap.mmap | None = None
        self._path: Path | None = None
        self._is_enabled = False
        self._enable: Callable[..., None] = faulthandler.enable
        self._signal = _signal_for_stacks() if hang is not None else None

    def start(self) -> None:
        """Begin, before any thread does. Where no process can be forked, the program runs without a witness."""
        if not hasattr(os, "fork"):
            return
        with suppress(OSError):
            self._page = mmap.mmap(-1, mmap.PAGESIZE)
            STEP.pack_into(self._page, 0, 0)
            reader, writer = os.pipe()
            self._fork(reader, writer)
            os.close(reader)
            self._pipe = _moved_up(writer)
            self._take_signals()

    def follow(self, path: Path | None, step: int) -> None:
        """A step is done; the run has a folder, or none yet."""
        if self._page is not None:
            STEP.pack_into(self._page, 0, step)
        if path is not None and path is not self._path:
            self._path = path
            self._send(f"run {path.absolute()}")

    def stop(self) -> None:
        """Give everything back and send the witness home; in a forked child, leave it to the parent."""
        if self._pipe < 0 or os.getpid() != self._process:
            return
        self._give_back_signals()
        self._send("bye")
        os.close(self._pipe)
        self._pipe = -1
        self._page = None

    def _fork(self, reader: int, writer: int) -> None:
        """Fork twice, so that the witness is no child of the program's, which may wait for its own."""
        page, program = self._page, os.getpid()
        child = os.fork()
        if child == 0:
            try:
                os.setsid()
                if os.fork() == 0:
                    os.close(writer)
                    bystander = Bystander(
                        program, reader, lambda: STEP.unpack_from(page or b"\0" * 8)[0], self._hang, self._signal
                    )
                    bystander.make_run = self._make_run
                    bystander.attend()
            finally:
                os._exit(0)
        os.waitpid(child, 0)

    def _take_signals(self) -> None:
        if not faulthandler.is_enabled():
            # A program, or its environment, that has asked for this itself keeps what it has.
            faulthandler.enable(self._pipe, all_threads=True)
            native_stack.enable(self._pipe)
            self._is_enabled = True
            faulthandler.enable = self._handed_over
        if self._signal is not None:
            faulthandler.register(self._signal, self._pipe, all_threads=True)

    def _handed_over(self, *args: Any, **kwargs: Any) -> None:
        """The program wants the stacks itself."""
        self._is_enabled = False
        native_stack.disable()
        faulthandler.enable = self._enable
        self._enable(*args, **kwargs)

    def _give_back_signals(self) -> None:
        if faulthandler.enable == self._handed_over:
            faulthandler.enable = self._enable
        if self._is_enabled:
            native_stack.disable()
            faulthandler.disable()
            self._is_enabled = False
        if self._signal is not None:
            faulthandler.unregister(self._signal)

    def _send(self, message: str) -> None:
        if self._pipe >= 0 and os.getpid() == self._process:
            with suppress(OSError):
                os.write(self._pipe, b"\0" + message.encode(errors="surrogateescape") + b"\n")


def _moved_up(descriptor: int) -> int:
    import fcntl

    try:
        high = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, HIGH_DESCRIPTOR)
    except OSError:
        return descriptor
    os.close(descriptor)
    return high


def _signal_for_stacks() -> int | None:
    """A signal that nobody uses; None where there are no real-time signals."""
    last = getattr(signal, "SIGRTMAX", None)
    return last - 3 if last is not None and hasattr(faulthandler, "register") else None
