"""Plain frozen data that travels between the layers. Imports nothing of ours."""

from dataclasses import dataclass
from typing import Literal

Phase = Literal["train", "eval"]
Tier = Literal["full", "cheap", "clock"]


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
