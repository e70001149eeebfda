"""Outcomes without running anything."""

from collections.abc import Callable
from pathlib import Path

import pytest

from zoo.outcome import Alarm, Outcome
from zoo.programs import Program


@pytest.fixture
def outcome() -> Callable[..., Outcome]:
    """`outcome(fault, [found, …], folded=[…])`: a program with that fault, or none, and what was said of it."""

    def make(fault=None, found=(), *, folded=(), also=(), split="train", line=None, said_line=None) -> Outcome:
        program = Program(Path("/zoo/program.py"), fault, tuple(also), split, () if line is None else (line,))
        alarms = [Alarm(check, "", "/zoo/program.py", said_line, folded=False) for check in found]
        return Outcome(program, (*alarms, *(Alarm(check, "", None, None, folded=True) for check in folded)))

    return make
