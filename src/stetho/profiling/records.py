"""What a profile consists of: plain frozen data. Times are seconds a step and sizes bytes, unless a name says more."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

PHASES = ("data", "forward", "backward", "optimizer", "other")
"""Waiting for a batch; inside of models; inside of backward passes; updates and zeroing; the program's own code."""

Bound = Literal["input", "compute", "python", "waiting"]


@dataclass(frozen=True, slots=True)
class Measure:
    """One number over the profiled steps.

    >>> Measure.of([1.0, 3.0])
    Measure(mean=2.0, spread=1.0, low=1.0, high=3.0)
    >>> Measure.of([])
    Measure(mean=0.0, spread=0.0, low=0.0, high=0.0)
    """

    mean: float = 0.0
    spread: float = 0.0
    low: float = 0.0
    high: float = 0.0

    @classmethod
    def of(cls, values: Sequence[float]) -> Measure:
        """The measure of some values."""
        if not values:
            return cls()
        return cls(statistics.fmean(values), statistics.pstdev(values), min(values), max(values))


@dataclass(frozen=True, slots=True)
class Layer:
    """A module that was called, as its name stands in the tables."""

    name: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class LayerCost:
    """What one layer costs in a step. `own` leaves out the layers inside of it, `total` does not."""

    name: str
    kind: str
    depth: int
    calls: float
    forward: Measure
    backward: Measure
    forward_total: Measure
    backward_total: Measure
    optimizer: float = 0.0
    """The part of the update that falls to its own parameters, by their number."""
    forward_flops: int = 0
    backward_flops: int = 0
    saved: int = 0
    """Kept from the forward pass for the backward pass."""
    allocated: int = 0
    parameters: int = 0
    gradients: int = 0
    state: int = 0

    @property
    def seconds(self) -> float:
        """All of its own time."""
        return self.forward.mean + self.backward.mean + self.optimizer

    @property
    def flops_per_second(self) -> float | None:
        """What it achieves, counted operations over its own time."""
        flops, spent = self.forward_flops + self.backward_flops, self.forward.mean + self.backward.mean
        return flops / spent if flops and spent else None


@dataclass(frozen=True, slots=True)
class OpCost:
    """What one operation costs in a step, in one phase; `own` leaves out the operations that it calls."""

    name: str
    phase: str
    calls: float
    own: Measure
    total: Measure
    flops: int = 0
    layer: str = ""
    """The layer in which most of its time passes."""

    @property
    def flops_per_second(self) -> float | None:
        """What it achieves, counted operations over its time with all that it calls, where the work may be done."""
        return self.flops / self.total.mean if self.flops and self.total.mean else None


@dataclass(frozen=True, slots=True)
class LineCost:
    """A line of the program and the part of its time that passes there, below it included."""

    place: str
    function: str
    code: str
    phase: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Trial:
    """A change that was tried on the program's own loop."""

    setting: str
    steps_per_second: float
    samples_per_second: float | None = None
    steps: int = 0
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Keeper:
    """A name of the program under which memory grows from step to step."""

    name: str
    function: str
    lines: tuple[str, ...]
    """Where something is put there, if the source tells."""
    tensors_per_step: float
    bytes_per_step: float
    nodes_per_step: float
    """Of autograd graphs."""


@dataclass(frozen=True, slots=True)
class MemoryUse:
    """What is held, and how the process grows."""

    parameters: int = 0
    gradients: int = 0
    state: int = 0
    saved: int = 0
    peak: int | None = None
    """Most that was alive at once of what operations of a step made: activations, gradients, intermediate results."""
    process: int | None = None
    growth: float = 0.0
    """Of the process, a step."""
    keepers: tuple[Keeper, ...] = ()


@dataclass(frozen=True, slots=True)
class LoaderCost:
    """The data loader that feeds the training, its batches, and what they cost on their way between processes."""

    name: str
    line: str
    workers: int
    batch_size: int | None
    batch_bytes: int = 0
    sample_bytes: int = 0
    fields: tuple[str, ...] = ()
    pickled_bytes: int = 0
    pickle_seconds: float = 0.0
    unpickle_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Span:
    """One stretch of one step, for the time line."""

    name: str
    kind: str
    layer: str
    step: int
    start: float
    seconds: float
    thread: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """What bounds the speed, in words and numbers."""

    bound: Bound
    text: str
    shares: dict[str, float] = field(default_factory=dict)
    advice: tuple[str, ...] = ()
    growing: str = ""
    """What is said of memory that grows from step to step; empty where none does."""


@dataclass(frozen=True, slots=True)
class Profile:
    """Everything that was measured."""

    steps: int
    step: Measure
    data: Measure
    phases: dict[str, Measure]
    layers: tuple[LayerCost, ...] = ()
    ops: tuple[OpCost, ...] = ()
    lines: tuple[LineCost, ...] = ()
    memory: MemoryUse = MemoryUse()
    loader: LoaderCost | None = None
    trials: tuple[Trial, ...] = ()
    verdict: Verdict | None = None
    stacks: tuple[tuple[tuple[str, ...], float], ...] = ()
    spans: tuple[Span, ...] = ()
    added: float = 0.0
    """What the instruments added to a step; taken off the times above."""
    notes: tuple[str, ...] = ()

    @property
    def steps_per_second(self) -> float:
        """Speed without instruments."""
        return 1 / self.step.mean if self.step.mean else 0.0
