"""What a run says of its losses: the calls of known functions, and the graphs from a loss back to the model."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from stetho.checks.run.tensor_text import dtype_of, shape_of


@dataclass(frozen=True, slots=True)
class Loss:
    """A call of a loss function that is known: what it was given, in texts like "float32[32, 5]".

    >>> Loss("cross_entropy", input="float32[32, 5]", target="int64[32]").input_shape
    (32, 5)
    """

    call: str
    line: str | None = None
    phase: str = "train"
    input: str | None = None
    target: str | None = None
    reduction: str | None = "mean"
    ignore_index: int | None = None
    label_smoothing: float | None = None
    weight: tuple[float, ...] | None = None
    input_low: float | None = None
    input_high: float | None = None
    rows_sum_to_one: bool | None = None
    target_low: float | None = None
    target_high: float | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    constructed: str | None = None
    target_made: str | None = None

    @property
    def place(self) -> str | None:
        """Where the choice of the loss was made: where its module is constructed, or else the call."""
        return self.constructed or self.line

    @property
    def input_shape(self) -> tuple[int, ...] | None:
        """The shape of the predictions."""
        return shape_of(self.input)

    @property
    def target_shape(self) -> tuple[int, ...] | None:
        """The shape of the targets."""
        return shape_of(self.target)

    @property
    def target_dtype(self) -> str | None:
        """The type of the targets."""
        return dtype_of(self.target)


@dataclass(frozen=True, slots=True)
class Op:
    """An operation in the graph of the loss; `shape` is that of its result, `dim` the dimension it runs over.

    `feeds` is the place in the list of the operation that takes its result, `inputs` how many of its operands carry a
    gradient, `reads_output` whether one of them is the model's output; `output_ops` are the last operations inside of
    the model when this is not its first output. `negative`: it multiplies with a number below 0; `subtracted`: its
    result is on the right of a minus.
    """

    op: str
    shape: tuple[int, ...] | None = None
    dim: int | None = None
    feeds: int | None = None
    inputs: int | None = None
    reads_output: bool | None = None
    output_ops: "tuple[Op, ...]" = ()
    negative: bool = False
    subtracted: bool = False


@dataclass(frozen=True, slots=True)
class LossGraph:
    """The operations from the loss back to the model's output (`ops`), and the last ones inside the model.

    `reward` is what the program multiplies the likelihood of its choices with: its `name`, its `line`, and whether it
    is `turned` by a minus of its own. `quantile` tells of the loss of a quantile on which side of its minus the target
    must be (`target_first`), and the `line` of that minus. `nats` is what the code of a variational model tells of a
    sample, over time.
    """

    line: str | None = None
    ops: tuple[Op, ...] = ()
    output_ops: tuple[Op, ...] = ()
    output_shape: tuple[int, ...] | None = None
    shape: tuple[int, ...] = ()
    nodes: int = 0
    reached: tuple[str, ...] = ()
    value: float | None = None
    made: str | None = None
    reward: Mapping[str, Any] = field(default_factory=dict)
    quantile: Mapping[str, Any] = field(default_factory=dict)
    nats: tuple[float, ...] = ()

    @property
    def place(self) -> str | None:
        """Where the loss is computed, or else where it goes backward."""
        return self.made or self.line
