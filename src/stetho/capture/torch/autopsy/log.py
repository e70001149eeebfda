"""What a trace writes down while the program runs: references for each operation, made readable when asked for."""

from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType
from typing import Any

import torch
from torch import Tensor

from stetho.capture.source import is_user_code
from stetho.capture.torch.autopsy.kinds import Kind
from stetho.capture.torch.autopsy.ops import Op
from stetho.capture.torch.failure.tensors import summary_of
from stetho.capture.torch.models.models import describe
from stetho.capture.torch.trail import Position, Trail
from stetho.stats.kernel import Sightings
from stetho.stats.sightings import Fact


@dataclass(frozen=True, slots=True)
class Row:
    """One operation."""

    number: int
    kind: Kind
    phase: str
    position: Position
    layer: str | None
    node: str | None
    """In a backward pass: the autograd node that is at work."""
    forward: "Row | None"
    """And the operation that it is the gradient of."""
    given: range
    """Sightings of its inputs, then of its results."""
    made: range

    @property
    def line(self) -> str | None:
        """File and line of the program."""
        own = line_at(self.position)
        return own if own is not None or self.forward is None else self.forward.line

    @property
    def home(self) -> str | None:
        """The layer it belongs to; a gradient belongs to that of its operation."""
        return self.layer if self.node is None else self.forward.home if self.forward is not None else None

    @property
    def gradient_of(self) -> str | None:
        """In a backward pass: the name of the operation whose gradient is computed."""
        if self.node is None:
            return None
        name = self.node.rpartition("::")[2]
        if self.forward is not None and not name.endswith("Backward"):
            return self.forward.kind.name
        return name.rstrip("0123456789").removesuffix("Backward") or name

    def op(self) -> Op:
        """As what is looked at when a value is bad."""
        is_own = self.node is not None and line_at(self.position) is not None
        return Op(self.number, self.kind.name, self.phase, self.line, self.home, self.gradient_of, is_own)


class Log:
    """A stretch of a trace. `stops` are where the search for the program's code ends."""

    def __init__(self, stops: tuple[CodeType, ...] = ()) -> None:
        self.trail = Trail(is_user_code, torch._C._current_autograd_node, torch._C._autograd._get_sequence_nr, stops)
        self.sightings = Sightings(brief)
        self.begins = 0
        """The number of the first operation, less one: numbers go on from stretch to stretch."""
        self.ops: list[Op] = []
        """Those with bad inputs or results."""
        self.by_number: dict[int, Op] = {}
        self.kept: dict[int, dict[str, Any]] = {}
        """Where results were written, if they were."""
        self._forwards: dict[int, int] = {}
        self._looked_up = 0

    def clear(self, begins: int = 0) -> None:
        """Begin anew, with the number after this one."""
        self.begins, self._looked_up = begins, 0
        self.ops, self.by_number, self.kept = [], {}, {}
        for part in (self.trail, self.sightings, self._forwards):
            part.clear()

    def goes_on_from(self, earlier: "Log") -> None:
        """The same step, of which so much was written down already that only what matters is kept."""
        self.ops, self.by_number, self.kept = earlier.ops, earlier.by_number, earlier.kept

    def row(self, place: int, before: "Log | None" = None) -> Row:
        """One operation; that of a gradient is looked for in the stretch `before` as well."""
        kind, phase, position, layer, node, sequence, given, made, end = self.trail.row(place)
        forward = None
        if node is not None:
            phase, forward = "backward", self._forward(sequence) or (before._forward(sequence) if before else None)
        return Row(
            self.begins + place + 1, kind, phase, position, layer, node, forward, range(given, made), range(made, end)
        )

    def rows(self, before: "Log | None" = None) -> Iterator[Row]:
        """All operations."""
        return (self.row(place, before) for place in range(len(self.trail)))

    def values(self, row: Row) -> str:
        """Inputs and results of an operation in one line."""
        given, made = (
            [fact_text(self.sightings.fact(number)) for number in numbers] for numbers in (row.given, row.made)
        )
        return f"{', '.join(given)} → {', '.join(made)}"

    def _forward(self, sequence: int) -> Row | None:
        """The operation that was the first after the autograd node of that number had been made."""
        if sequence < 0:
            return None
        for place in range(self._looked_up, len(self.trail)):
            _, _, _, _, node, number, *_ = self.trail.row(place)
            if node is None:
                self._forwards.setdefault(number, place)
        self._looked_up = len(self.trail)
        found = self._forwards.get(sequence)
        return self.row(found) if found is not None else None


def line_at(position: Position) -> str | None:
    """A position as file and line.

    >>> code = compile("x = 1", "train.py", "exec")
    >>> line_at((code, 2)), line_at("train.py:3"), line_at(None)
    ('train.py:1', 'train.py:3', None)
    """
    if position is None or isinstance(position, str):
        return position
    code, place = position
    lines = (line for begin, end, line in code.co_lines() if begin <= place < end and line is not None)
    return f"{code.co_filename}:{next(lines, code.co_firstlineno)}"


def fact_text(fact: Fact) -> str:
    """Type, shape and range of a tensor, and how much of it is not finite."""
    if isinstance(fact, str):
        return fact
    kind, shape, summary = fact
    words = [f"{kind}{list(shape)}"]
    if summary.finite:
        low, high = summary.low, summary.high
        words.append(f"{low:.4g}" if low == high else f"{low:.4g}…{high:.4g}")
    words += [f"nan {summary.nans}"] if summary.nans else []
    words += [f"inf {summary.infs}"] if summary.infs else []
    return " ".join(words)


def brief(tensor: Tensor) -> str:
    """The same for a tensor that the kernel does not read: of an accelerator, sparse, complex, or of another type."""
    summary = summary_of(tensor)
    if summary is None:
        return describe(tensor)
    return fact_text((str(tensor.dtype).removeprefix("torch."), tuple(tensor.shape), summary))
