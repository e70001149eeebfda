"""What is known of one operation of a traced step. Plain data."""

from dataclasses import dataclass, field
from typing import Any

Value = float | int | bool | str | None


@dataclass(slots=True)
class Operand:
    """An input of the operation that gave birth to a bad value: its name, its line, its value at the bad index."""

    name: str
    text: str
    value: Value = None


@dataclass(slots=True)
class Evidence:
    """Where in the result the bad value stands, and what went in there."""

    index: tuple[int, ...]
    shape: tuple[int, ...]
    dtype: str
    bad: int
    result: str
    operands: list[Operand]
    rows: list[int]
    facts: dict[str, float] = field(default_factory=dict)


@dataclass(slots=True)
class Source:
    """A bad input of an operation: the number of the operation that made it, or the name of what it is."""

    op: int | None
    origin: str | None
    has_nan: bool
    only_negative: bool
    facts: dict[str, Any] | None = None
    """Where it is bad, if nobody knows what it is."""


@dataclass(slots=True)
class Op:
    """One operation whose inputs or results are not all finite."""

    number: int
    name: str
    phase: str
    line: str | None
    layer: str | None
    node: str | None = None
    """In a backward pass: the operation whose gradient is computed."""
    is_own: bool = False
    """In a backward pass: code of the program computes it, as a derivative of its own does."""
    has_nan: bool = False
    has_inf: bool = False
    constant: bool = False
    """An infinity was given to it as a number, as a mask does."""
    sources: list[Source] = field(default_factory=list)
    evidence: Evidence | None = None

    @property
    def is_bad(self) -> bool:
        """Whether its result is not finite."""
        return self.has_nan or self.has_inf
