"""A finding: one observation about a run, with its place, its numbers and what to do next. Plain frozen data."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Severity = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")
"""From the worst down; a note is worth knowing and no alarm."""

Evidence = Mapping[str, float | str | list[float]]

POINTS_OF_A_SERIES = 64


@dataclass(frozen=True, slots=True)
class Where:
    """The place of a finding: a layer or a parameter, and a line of the user's own code, as far as known.

    >>> str(Where.at_line("train.py:12")), str(Where(layer="fc1", file="train.py", line=3)), str(Where())
    ('train.py:12', 'fc1, train.py:3', '')
    """

    layer: str | None = None
    parameter: str | None = None
    file: str | None = None
    line: int | None = None

    @classmethod
    def at_line(cls, place: str | None, *, layer: str | None = None, parameter: str | None = None) -> "Where":
        """From a place as it is recorded, "file:line"; without one, only the subject."""
        file, _, line = (place or "").rpartition(":")
        if file and line.isdigit():
            return cls(layer, parameter, file, int(line))
        return cls(layer, parameter, None, None)

    @property
    def place(self) -> str | None:
        """The line of code as "file:line"."""
        return None if self.file is None else self.file if self.line is None else f"{self.file}:{self.line}"

    def __str__(self) -> str:
        return ", ".join(part for part in (self.parameter or self.layer, self.place) if part)


@dataclass(frozen=True, slots=True)
class Steps:
    """When it was seen: the first and the last step, and in how many.

    >>> Steps(3, 10, 8).count
    8
    """

    first: int
    last: int
    count: int


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found.

    >>> Finding("loss-plateau", "warning", 0.9, "the loss is 2.3 from step 40 to 400").severity
    'warning'
    """

    check: str
    severity: Severity
    confidence: float
    title: str
    where: Where = Where()
    steps: Steps = Steps(0, 0, 0)
    evidence: Evidence = field(default_factory=dict)
    explains: tuple[str, ...] = ()
    try_next: str = ""
    symptoms: tuple["Finding", ...] = ()

    @property
    def is_alarm(self) -> bool:
        """Whether it says that something is wrong, and not only worth knowing."""
        return self.severity != "note"
