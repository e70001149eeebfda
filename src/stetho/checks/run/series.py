"""A number over the steps at which it was measured."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """Steps, rising, and the value at each of them; NaN where something was measured and is not a number.

    >>> series = Series(np.array([1, 2, 5]), np.array([2.0, np.nan, 1.0]))
    >>> len(series), series.first, series.last, len(series.finite)
    (3, 2.0, 1.0, 2)
    """

    steps: Array
    values: Array

    def __len__(self) -> int:
        return len(self.values)

    @property
    def first(self) -> float:
        """The first value; NaN when there is none."""
        return float(self.values[0]) if len(self.values) else float("nan")

    @property
    def last(self) -> float:
        """The last value; NaN when there is none."""
        return float(self.values[-1]) if len(self.values) else float("nan")

    @property
    def finite(self) -> "Series":
        """Without the values that are not finite."""
        return self.where(np.isfinite(self.values))

    def where(self, chosen: Array) -> "Series":
        """The part that a mask over the values chooses."""
        return Series(self.steps[chosen], self.values[chosen])

    def between(self, first: int, last: int) -> "Series":
        """The part from one step to another, both included."""
        return self.where((self.steps >= first) & (self.steps <= last))

    def median(self) -> float:
        """The median of the finite values; NaN when there is none."""
        finite = self.finite.values
        return float(np.median(finite)) if len(finite) else float("nan")


def joined(one: Series, other: Series, operation: np.ufunc) -> Series:
    """Two series at the steps that both have, put together value by value.

    >>> zeros = Series(np.array([1, 2, 3]), np.array([1.0, 2.0, 3.0]))
    >>> count = Series(np.array([2, 3]), np.array([4.0, 4.0]))
    >>> joined(zeros, count, np.divide).values.tolist()
    [0.5, 0.75]
    """
    steps, left, right = np.intersect1d(one.steps, other.steps, return_indices=True)
    with np.errstate(all="ignore"):
        return Series(steps, operation(one.values[left], other.values[right]))


def thinned(values: npt.ArrayLike, most: int) -> list[float]:
    """A series in few points: the mean of the finite values of each stretch.

    >>> thinned([1, 2, 3, 4], 2)
    [1.5, 3.5]
    """
    numbers = np.asarray(values, np.float64).reshape(-1)
    if len(numbers) <= most:
        return numbers.tolist()
    return [_finite_mean(part) for part in np.array_split(numbers, most)]


def _finite_mean(values: Array) -> float:
    finite = values[np.isfinite(values)]
    return float(finite.mean()) if len(finite) else float("nan")
