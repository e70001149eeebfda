"""Plain frozen data that travels between the layers. Imports nothing of ours."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

Phase = Literal["train", "eval"]
Tier = Literal["full", "cheap", "clock", "asleep"]


@dataclass(frozen=True, slots=True)
class Series:
    """What one row of the `stats` table is about: one role of one layer or parameter in one phase.

    >>> Series(0, 0, "encoder.0", "act", "train").name
    'encoder.0'
    """

    id: int
    model: int
    name: str
    role: str
    phase: Phase


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A place in the user's own code.

    >>> str(SourceLine("train.py", 12, "main"))
    'train.py:12'
    """

    file: str
    line: int
    function: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class Ending:
    """How a program ended.

    >>> Ending("exit", 3).code
    3
    """

    kind: Literal["finished", "exit", "exception", "interrupted", "terminated", "steps reached"]
    code: int = 0
    error: str | None = None
    where: str | None = None


@dataclass(frozen=True, slots=True)
class Status:
    """The numbers of the live status line.

    >>> Status(step=3, loss=0.5, steps_per_second=10.0, overhead=0.01, tier="full").step
    3
    """

    step: int
    loss: float | None
    steps_per_second: float
    overhead: float
    tier: Tier


class Voice(Protocol):
    """Where stetho's own lines go while a program runs."""

    def say(self, line: str) -> None:
        """Print one line of ours, apart from the program's own output."""


class Judge(Protocol):
    """Somebody who looks at the run on disk while the program runs."""

    seconds: float
    """What looking has cost so far."""

    def look(self, path: Path, step: int, is_wanted: Callable[[], bool]) -> None:
        """Called about once a second, away from the program's own thread; gives up soon when it is not wanted."""


class Interrupted(Exception):
    """Work that nobody wants any more was left half done."""


class StepsReached(SystemExit):
    """Ends the program cleanly after the number of steps that the user asked for."""
