"""The few numbers of one tensor, how two of them are put together, and the row they become in the `stats` table."""

from math import inf, nan, sqrt
from typing import NamedTuple


class Summary(NamedTuple):
    """Measured on one tensor. Extremes, mean and deviation are of the finite elements.

    >>> Summary(4, 0, 0, 1, 0.0, 3.0, 1.5, 5.0).merged(Summary(1, 0, 0, 0, 9.0, 9.0, 9.0, 0.0)).mean
    3.0
    """

    elements: int
    nans: int
    infs: int
    zeros: int
    low: float
    high: float
    mean: float
    squares: float
    """Sum of squared deviations from the mean."""

    def merged(self, other: "Summary") -> "Summary":
        """The summary of both tensors together."""
        mine, theirs = self.finite, other.finite
        if mine == 0 or theirs == 0:
            mean, squares = (other.mean, other.squares) if mine == 0 else (self.mean, self.squares)
        else:
            apart = other.mean - self.mean
            mean = self.mean + apart * theirs / (mine + theirs)
            squares = self.squares + other.squares + apart * apart * mine * theirs / (mine + theirs)
        return Summary(
            self.elements + other.elements,
            self.nans + other.nans,
            self.infs + other.infs,
            self.zeros + other.zeros,
            min(self.low, other.low),
            max(self.high, other.high),
            mean,
            squares,
        )

    @property
    def finite(self) -> int:
        """How many elements are neither NaN nor infinite."""
        return self.elements - self.nans - self.infs

    @property
    def rms(self) -> float:
        """Root mean square of the finite elements."""
        finite = self.finite
        return sqrt(self.mean * self.mean + max(self.squares, 0.0) / finite) if finite else nan

    def row(self, calls: int, ratio: float = nan) -> tuple[float, ...]:
        """The measures in the order of the `stats` table."""
        elements, nans, infs, zeros, low, high, mean, squares = self
        finite = elements - nans - infs
        if finite == 0:
            return (calls, elements, nans, infs, zeros, nan, nan, nan, nan, nan, nan, ratio)
        variance = squares / finite if squares > 0.0 else 0.0
        rms = sqrt(mean * mean + variance)
        return (
            calls,
            elements,
            nans,
            infs,
            zeros,
            low,
            high,
            mean,
            sqrt(variance),
            rms,
            max(abs(low), abs(high)),
            ratio,
        )


NEAR_UNDERFLOW = 1e-28
"""Squares of 32 bits below 1e-38 lose digits; a sum of squares above this does not notice."""

NEGLIGIBLE = 1e-3
"""A variance below this share of the mean square is lost in the rounding of 32-bit sums."""

EMPTY = Summary(0, 0, 0, 0, inf, -inf, 0.0, 0.0)


def from_sums(elements: int, zeros: int, low: float, high: float, total: float, power: float) -> Summary | None:
    """A summary from plain sums of finite values; None when the sums cannot be trusted.

    >>> from_sums(2, 0, 1.0, 3.0, 4.0, 10.0).squares
    2.0
    """
    mean = total / elements
    squares = power - total * mean
    # A variance far below the mean square is lost in the rounding of 32-bit sums, and so are the digits of squares near
    # the smallest number. NaN fails all comparisons.
    if power > NEAR_UNDERFLOW and NEGLIGIBLE * power < squares < inf:
        return Summary(elements, 0, 0, zeros, low, high, mean, squares)
    return None
