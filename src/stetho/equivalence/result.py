"""What an equivalence test gave: equal, or the first tensor that differs and why."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any, cast

import numpy as np

from stetho.comparing.tensor_error import Array, TensorError, error_between
from stetho.store.documents import plain

ORDER = ("input", "param", "buffer", "lr", "scale", "act", "loss", "grad", "state", "update")
"""What a step is made of, in the order in which one thing follows from another."""
WORDS = {
    "input": "the batch",
    "param": "the weights",
    "buffer": "the buffer",
    "lr": "the learning rate",
    "scale": "the loss scale",
    "act": "the output",
    "loss": "the loss",
    "grad": "the gradient",
    "update": "the update",
}
NOISE = 1e-4
"""A tensor this much smaller than the largest of its kind may be all rounding, and is measured by that one."""

Step = Mapping[str, Array]
"""The tensors of one step by `stage/name`, in the order in which they were computed."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A tensor that is not the same in both ways."""

    step: int
    stage: str
    name: str
    kind: str
    """Class of the layer, where it is one."""
    error: TensorError | None
    """None where only one side has the tensor, or the shapes differ."""
    shapes: tuple[tuple[int, ...] | None, tuple[int, ...] | None]

    def __str__(self) -> str:
        what = WORDS.get(self.stage) or f"the optimizer's {self.stage.removeprefix('state.')}"
        of = f" of `{self.name}`" if self.name and self.stage not in ("lr", "scale", "loss", "input") else ""
        return f"{what}{of}" + (f" ({self.kind})" if self.kind else "")


@dataclass(frozen=True, slots=True)
class Equivalence:
    """The result of one test of the battery."""

    test: str
    ways: tuple[str, str]
    steps: int
    differences: Sequence[Difference] = ()
    """The tensors of the first step that differs, in the order in which they are computed."""
    reasons: Sequence[str] = ()
    notes: Sequence[str] = ()

    @property
    def is_equal(self) -> bool:
        """Whether nothing differs by more than rounding."""
        return not self.differences

    @property
    def first_difference(self) -> Difference | None:
        """The first tensor that differs; None if none does."""
        return self.differences[0] if self.differences else None

    def table(self) -> list[dict[str, Any]]:
        """The tensors that differ as rows."""
        return [
            {
                "step": each.step,
                "stage": each.stage,
                "name": each.name,
                "error": None if each.error is None else each.error.relative,
                "max_abs": None if each.error is None else each.error.max_abs,
            }
            for each in self.differences
        ]

    def to_json(self) -> dict[str, Any]:
        """All of it as plain data; numbers that JSON has no word for become text."""
        return cast(dict[str, Any], plain(asdict(self) | {"equal": self.is_equal}))


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far tensors may be apart, as a share of their size: outputs, and gradients with what follows from them."""

    of_outputs: float
    of_gradients: float
    noise: float = NOISE

    def of(self, stage: str) -> float:
        """The share for a stage."""
        return self.of_gradients if stage.partition(".")[0] in ("grad", "state", "update") else self.of_outputs


def first_differences(
    one: Sequence[Step], other: Sequence[Step], *, tolerance: float | Tolerance, kinds: Mapping[str, str]
) -> list[Difference]:
    """The tensors of the first step in which any differs by more than the tolerance; `kinds` are classes of layers."""
    allowed = tolerance if isinstance(tolerance, Tolerance) else Tolerance(tolerance, tolerance)
    for number, (mine, theirs) in enumerate(zip(one, other, strict=False), start=1):
        found = _differences(number, mine, theirs, allowed, kinds)
        if found:
            return found
    return []


def _differences(
    number: int, mine: Step, theirs: Step, allowed: Tolerance, kinds: Mapping[str, str]
) -> list[Difference]:
    largest: dict[str, float] = {}
    for key, array in (*mine.items(), *theirs.items()):
        stage = key.partition("/")[0]
        largest[stage] = max(largest.get(stage, 0.0), _rms(array))
    found = []
    for key in dict.fromkeys([*mine, *theirs]):
        stage, _, name = key.partition("/")
        a, b = mine.get(key), theirs.get(key)
        error = error_between(a, b) if a is not None and b is not None else None
        if error is not None and _is_close(error, a, b, allowed.noise * largest[stage], allowed.of(stage)):
            continue
        shapes = (None if a is None else a.shape, None if b is None else b.shape)
        found.append(Difference(number, stage, name, kinds.get(name, "") if stage == "act" else "", error, shapes))
    return sorted(found, key=lambda each: ORDER.index(each.stage.partition(".")[0]))


def _is_close(error: TensorError, a: Array | None, b: Array | None, floor: float, tolerance: float) -> bool:
    if error.is_equal:
        return True
    size = max(_rms(a), _rms(b)) if a is not None and b is not None else 0.0
    # Below the floor the same error in numbers counts for less.
    share = size / floor if 0 < size < floor else 1.0
    return error.relative * share <= tolerance


def _rms(array: Array | None) -> float:
    if array is None or not array.size:
        return 0.0
    with np.errstate(all="ignore"):
        value = float(np.sqrt(np.mean(np.square(np.abs(array.astype(np.float64))))))
    return value if isfinite(value) else 0.0
