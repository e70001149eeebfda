"""The witness itself: waits beside the program, and writes down the stacks of one that crashes or hangs.

It never ends a process. It runs in a process of its own, forked before the program began; standard library only.
"""

import json
import os
import re
import select
import signal
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic

from stetho.capture.crash_place import crash_place, failing_thread, tidied
from stetho.capture.native_stack import drawn, parted
from stetho.capture.processes import command_of, descendants, handles, killed_for_memory, memory_limit
from stetho.capture.recursion import endless_round

CRASHES_FILE = "crashes.jsonl"
SILENCE = 0.3
"""Seconds without another word after which a dump counts as complete."""

IDLE = 10.0
LONGEST = 1 << 18

SIGNALS = {
    "Segmentation fault": "SIGSEGV",
    "Aborted": "SIGABRT",
    "Bus error": "SIGBUS",
    "Floating-point exception": "SIGFPE",
    "Floating point exception": "SIGFPE",
    "Illegal instruction": "SIGILL",
}
OF_THE_STACK = ("Segmentation fault", "Bus error")
"""What a process dies of whose stack is full."""
_FATAL = re.compile(r"^Fatal Python error: (.+)$", re.MULTILINE)


class Bystander:
    """One program's witness."""

    def __init__(
        self, program: int, pipe: int, read_step: Callable[[], int], hang: float | None, stacks: int | None
    ) -> None:
        self.program = program
        self.folder: Path | None = None
        self.make_run: Callable[[], Path] | None = None
        """Makes a folder for the last words of a program that has recorded nothing."""
        self._held: list[str] = []
        self._saw_crash = False
        self._home = os.path.join(os.getcwd(), "")
        self._pipe = pipe
        self._read_step = read_step
        self._hang = hang if stacks is not None else None
        self._stacks = stacks
        self._text = b""
        self._message = b""
        self._is_over = False
        self._asked: int | None = None
        self._last_step, self._changed, self._is_told = read_step(), monotonic(), False
        self._killed_before = killed_for_memory()

    def attend(self) -> None:
        """Stay until the program sends us home, or is gone."""
        self._step_aside()
        is_gone = False
        while not self._is_over and not is_gone:
            if select.select([self._pipe], [], [], self._patience())[0]:
                data = os.read(self._pipe, 1 << 16)
                is_gone = not data
                self._hear(data)
            else:
                self._tell()
                self._look_for_hang()
                self._killed_before = killed_for_memory()
        self._tell()
        if not self._is_over:
            self._program_is_gone()

    def _step_aside(self) -> None:
        """Keep nothing of the program's but stderr; outlive what ends it."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGPIPE):
            signal.signal(number, signal.SIG_IGN)
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 0)
        os.dup2(nothing, 1)
        os.chdir("/")

    def _patience(self) -> float:
        if self._text:
            return SILENCE
        return min(1.0, self._hang / 4) if self._hang is not None else IDLE

    def _hear(self, data: bytes) -> None:
        """Messages of ours begin with a zero byte and are whole lines; all else is what a dying process wrote."""
        for piece in re.split(rb"(\0[^\n]*\n)", data):
            if piece.startswith(b"\0run "):
                self.folder = Path(os.fsdecode(piece[5:-1]))
                self._write_down()
            elif piece == b"\0bye\n":
                self._is_over = True
            elif len(self._text) < LONGEST:
                self._text += piece

    def _tell(self) -> None:
        """Write down the dump that has come, if any."""
        native, stacks = parted(self._text.decode(errors="replace"))
        text, self._text = tidied(stacks), b""
        if not text:
            return
        fatal = _FATAL.search(text)
        error = fatal[1] if fatal else None
        if error in OF_THE_STACK and endless_round(failing_thread(stacks).splitlines()):
            error += ", a stack overflow"
        where, layers = crash_place(stacks, self.folder)
        kind = "crash" if fatal else "hang"
        name = SIGNALS.get(fatal[1] if fatal else "")
        # One that hung may go on since it was asked.
        step = self._read_step() if fatal else self._last_step
        self._record(kind, step=step, stacks=text, native=native, error=error, signal=name, where=where, layers=layers)
        if kind == "crash":
            title = f"{error} {after(step)}"
        else:
            whose = "the program" if self._asked in (None, self.program) else f"its child {self._asked}"
            since = f"no step for {monotonic() - self._changed:.0f} s {after(step)}"
            title = f"{since}; this is where {whose} is"
        place = f", in layer {' or '.join(f'`{each}`' for each in layers)}" if layers else ""
        at = f" · {where.removeprefix(self._home)}" if where else ""
        self._say("\n".join([f"{title}{place}{at}\n", text, *drawn(native), ""]))

    def _program_is_gone(self) -> None:
        killed = killed_for_memory() - self._killed_before
        self._record("gone", killed_for_memory=killed, memory_limit=memory_limit())
        if killed > 0:
            self._say(f"the program was killed {after(self._read_step())}, as the system ran out of memory\n")
        if self.folder is None and self.make_run is not None and (killed > 0 or self._saw_crash):
            # It died before its run was begun; whatever is in the way of another one, there is nobody left to tell.
            with suppress(Exception):
                os.chdir(self._home)
                self.folder = self.make_run()
                self._write_down()

    def _look_for_hang(self) -> None:
        step = self._read_step()
        if step != self._last_step:
            self._last_step, self._changed, self._is_told = step, monotonic(), False
        if self._hang is None or self._stacks is None or self._is_told or monotonic() - self._changed < self._hang:
            return
        self._is_told = True
        for process in (self.program, *descendants(self.program)):
            # A process that does not carry our handler would die of the signal.
            if handles(process, self._stacks):
                self._ask(process)
            elif process != self.program and (command := command_of(process)):
                self._say(
                    f"its child {process} runs without stetho and is not asked: {' '.join(command.split())[:80]}\n"
                )

    def _ask(self, process: int) -> None:
        """Have a process write its stacks, and tell them before the next one is asked."""
        self._asked = process
        with suppress(OSError):
            os.kill(process, self._stacks or 0)
        while select.select([self._pipe], [], [], SILENCE)[0]:
            data = os.read(self._pipe, 1 << 16)
            if not data:
                break
            self._hear(data)
        self._tell()
        self._asked = None

    def _record(self, kind: str, **facts: object) -> None:
        now = datetime.now(UTC).isoformat(timespec="seconds")
        facts = {"kind": kind, "time": now, "step": self._read_step(), "pid": self._asked or self.program, **facts}
        self._saw_crash |= kind == "crash"
        self._held.append(json.dumps(facts) + "\n")
        self._write_down()

    def _write_down(self) -> None:
        """Put what was told into the run; as long as it has no folder, it waits."""
        if self.folder is not None and self._held:
            lines, self._held = self._held, []
            with suppress(OSError), (self.folder / CRASHES_FILE).open("a", encoding="utf-8") as file:
                file.write("".join(lines))

    def _say(self, text: str) -> None:
        with suppress(OSError):
            os.write(2, f"\nstetho: {text}".encode(errors="replace"))


def after(step: int) -> str:
    """When something happened, by the last step that was done.

    >>> after(1200), after(0)
    ('after step 1,200', 'before the first step was done')
    """
    return f"after step {step:,}" if step else "before the first step was done"
