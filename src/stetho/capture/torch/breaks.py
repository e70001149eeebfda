"""Stops the program right before an update when a condition holds, and opens a shell in it.

Without a terminal nobody could type: then the step is written as a bundle instead, and that is said.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

from stetho.capture.console import has_terminal, leave, open_console
from stetho.capture.guard import Guard
from stetho.capture.recorder import Recorder
from stetho.capture.source import line_of, user_frame
from stetho.capture.step import Clock
from stetho.capture.torch.at_hand import HELP, commands_of, facts_of
from stetho.capture.torch.autopsy.kept import Event, RootCall
from stetho.capture.torch.updates.optimizers import Optimizers
from stetho.capture.torch.updates.settings import learning_rates
from stetho.conditions import Condition
from stetho.records import Voice
from stetho.store.documents import read_lines
from stetho.store.format import FINDINGS_FILE

WriteBundle = Callable[[str, int, list[Event], dict[str, Any]], object]


class Breaks:
    """The conditions of a run."""

    def __init__(
        self,
        conditions: Sequence[str],
        clock: Clock,
        guard: Guard,
        recorder: Recorder,
        voice: Voice,
        optimizers: Optimizers,
        write_bundle: WriteBundle,
    ) -> None:
        self._optimizers = optimizers
        self._conditions = [Condition.parse(text) for text in conditions]
        self._clock = clock
        self._guard = guard
        self._recorder = recorder
        self._voice = voice
        self._write_bundle = write_bundle
        self.is_waiting = False
        """Whether the next step is looked at in any case."""
        self.has_conditions = bool(self._conditions)
        self._told: set[str] = set()
        self._written: set[str] = set()

    def on_fault(self, events: list[Event], fault: Mapping[str, Any]) -> None:
        """A value is no number: the check that will say so need not be waited for."""
        check = check_of(fault)
        if any(condition.kind == "nan" for condition in self._conditions):
            self._open("nan", events)
        elif check not in self._told and any(each.text == check for each in self._conditions):
            self._open(check, events)
            self._told.add(check)

    def before_update(self, norm: object, events: list[Event]) -> None:
        """The optimizer is about to change the parameters."""
        values = self._values(norm)
        held = ["next step"] if self.is_waiting else []
        held += [each.text for each in self._conditions if each.kind == "expression" and each.holds(values)]
        held += [each.text for each in self._conditions if each.kind == "check" and self._is_found(each.text)]
        if held:
            self._open(held[0], events)

    def _values(self, norm: object) -> dict[str, float | None]:
        step = self._clock.step
        loss = step.losses[-1] if step.losses else None
        values: dict[str, float | None] = {
            name: value for name, value in step.facts.items() if isinstance(value, (int, float))
        }
        return values | {
            "step": step.number,
            "loss": float(loss) if loss is not None else None,  # type: ignore[arg-type]  # a number or a tensor with one
            "grad_norm": float(norm) if norm is not None else None,  # type: ignore[arg-type]
            "lr": self._rate(),
            "batch_size": step.batch_size,
            "forwards": step.forwards,
            "backwards": step.backwards,
        }

    def _rate(self) -> float | None:
        rates = [rate for optimizer in self._optimizers.alive() for rate in learning_rates(optimizer)]
        return rates[0] if rates else None

    def _is_found(self, check: str) -> bool:
        path = self._recorder.path
        if path is None or check in self._told or not (path / FINDINGS_FILE).exists():
            return False
        if any(line.get("check") == check for line in read_lines(path / FINDINGS_FILE)):
            self._told.add(check)
            return True
        return False

    def open_at(self, frame: FrameType, events: list[Event], under_way: RootCall | None) -> None:
        """The program itself asks for a shell, in the middle of a step."""
        self._open("stetho.shell()", events, frame, under_way)

    def _open(
        self, reason: str, events: list[Event], frame: FrameType | None = None, under_way: RootCall | None = None
    ) -> None:
        self.is_waiting = False
        number = self._clock.step.number
        if not has_terminal():
            if reason not in self._written or reason == "nan":
                self._voice.say(f"break at step {number} ({reason}): there is no terminal, so the step is written down")
                self._written.add(reason)
            self._write_bundle(reason, number, events, {})
            return
        frame = frame or user_frame(sys._getframe(1))
        line = line_of(frame)
        names = {**frame.f_globals, **frame.f_locals} if frame is not None else {}
        # What is tried out in the shell is no part of the training.
        asleep, self._guard.asleep = self._guard.asleep, True
        try:
            with self._guard.theirs():
                # Names of the program's own win over ours, save for the commands.
                commands = commands_of(events, lambda why: self._dump(why, events), self._next_step)
                everything = facts_of(events, under_way, number, self._values(None)["loss"]) | names | commands
                open_console(everything, f"stetho · step {number} · {reason} · {line}\n{HELP}")
        finally:
            self._guard.asleep = asleep

    def _next_step(self) -> None:
        self.is_waiting = True
        # In a program of short steps, the next might be one of those that nobody looks at.
        self._clock.stay_awake()
        leave()

    def _dump(self, reason: str, events: list[Event]) -> object:
        folder = self._write_bundle(reason, self._clock.step.number, events, {})
        return Path(str(folder)) if folder is not None else None


def check_of(fault: Mapping[str, Any]) -> str:
    """The check that tells of what an autopsy has found.

    >>> check_of({"phase": "data", "origin": "input 0"}), check_of({"growth": True}), check_of({"phase": "loss"})
    ('nan-input', 'overflow', 'non-finite-value')
    """
    if fault.get("phase") == "data" and str(fault.get("origin") or "").startswith("input"):
        return "nan-input"
    return "overflow" if fault.get("growth") else "non-finite-value"
