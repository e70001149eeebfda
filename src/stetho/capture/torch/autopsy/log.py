"""What a trace writes down while the program runs: references for each operation, made readable when asked for."""

from dataclasses import dataclass, field
from types import CodeType
from typing import Any, NamedTuple, Union

from torch import Tensor

from stetho.capture.torch.autopsy.kinds import Kind
from stetho.capture.torch.autopsy.ops import Op
from stetho.capture.torch.models import describe
from stetho.capture.torch.tensors import summary_of
from stetho.stats.kernel import Sightings
from stetho.stats.sightings import Fact

Position = tuple[CodeType, int] | str | None
"""A code object and the place in it, a line that is known as such, or neither."""


class Row(NamedTuple):
    """One operation."""

    number: int
    kind: Kind
    phase: str
    position: Position
    layer: str | None
    node: str | None
    """In a backward pass: the autograd node that is at work."""
    forward: Union["Row", None]
    """And the operation that it is the gradient of."""
    given: list[int]
    """Sightings of its inputs, then of its results."""
    made: list[int]

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
        return Op(self.number, self.kind.name, self.phase, self.line, self.home, self.gradient_of)


@dataclass(slots=True)
class Log:
    """A stretch of a trace."""

    rows: list[Row] = field(default_factory=list)
    count: int = 0
    """Of all operations, the first of which have a row."""
    ops: list[Op] = field(default_factory=list)
    """Those with bad inputs or results."""
    by_number: dict[int, Op] = field(default_factory=dict)
    kept: dict[int, dict[str, Any]] = field(default_factory=dict)
    """Where results were written, if they were."""
    sightings: Sightings = field(default_factory=lambda: Sightings(brief))

    def clear(self) -> None:
        """Begin anew."""
        self.count = 0
        for part in (self.rows, self.ops, self.by_number, self.kept, self.sightings):
            part.clear()

    def values(self, row: Row) -> str:
        """Inputs and results of an operation in one line."""
        given, made = ([self.text(number) for number in numbers] for numbers in (row.given, row.made))
        return f"{', '.join(given)} → {', '.join(made)}"

    def text(self, number: int) -> str:
        """Type, shape and range of a tensor that was seen."""
        return fact_text(self.sightings.fact(number))


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
