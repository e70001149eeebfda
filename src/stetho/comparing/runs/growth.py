"""How an error of rounding grows over the steps of a training, and where it grows faster than that."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log
from statistics import median

JUMP = 30.0
"""An error that grows by more than this from one step to the next did not get there by rounding."""
SATURATED = 0.3
"""Errors of this size are as large as the values; they do not grow any more."""
SMALLEST = 1e-9


@dataclass(frozen=True, slots=True)
class Growth:
    """The errors of two trainings that began as rounding: the first, the factor of a step, and where that ends."""

    first_step: int
    first_error: float
    factor: float
    last_step: int
    last_error: float
    breaks_at: int | None
    """The first step that rounding does not explain."""
    expected: float | None = None
    found: float | None = None

    @property
    def sentence(self) -> str:
        """In words."""
        grown = (
            f"the error begins with {self.first_error:.1e} at step {self.first_step} and grows by a factor of"
            f" {self.factor:.3g} a step"
        )
        if self.breaks_at is None:
            return f"{grown}, to {self.last_error:.1e} at step {self.last_step}: no faster than rounding does"
        return f"{grown}; at step {self.breaks_at} it is {self.found:.1e}, where rounding explains {self.expected:.1e}"


def growth_of(steps: Sequence[int], errors: Sequence[float]) -> Growth | None:
    """The growth of the errors of successive steps; None if there are none.

    >>> growth_of([1, 2, 3, 4], [1e-7, 2e-7, 4e-7, 8e-7]).factor
    2.0
    >>> growth_of([1, 2, 3], [1e-7, 2e-7, 0.1]).breaks_at
    3
    """
    pairs = [(step, error) for step, error in zip(steps, errors, strict=True) if error > 0]
    if not pairs:
        return None
    (first, begun), *later = pairs
    highest, last = max(begun, SMALLEST), first
    slopes: list[float] = []
    for step, error in later:
        # Between steps that were measured far apart it may have grown at the pace seen so far.
        expected = highest * exp(_slope(slopes) * (step - last))
        if error > JUMP * expected and highest < SATURATED:
            return Growth(first, begun, _rounded(exp(_slope(slopes))), last, highest, step, expected, error)
        slopes.append(log(max(error / highest, 1.0)) / (step - last))
        highest, last = max(error, highest), step
    return Growth(first, begun, _rounded(exp(_slope(slopes))), last, highest, None)


def _slope(slopes: Sequence[float]) -> float:
    return max(median(slopes), 0.0) if slopes else 0.0


def _rounded(factor: float) -> float:
    return float(f"{factor:.6g}")
