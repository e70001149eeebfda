"""Number formats, and how much of a log2 histogram each of them would lose. Knows nothing of a framework."""

from collections.abc import Sequence
from dataclasses import dataclass

LOWEST = -64
HIGHEST = 63


@dataclass(frozen=True, slots=True)
class Format:
    """A floating-point format: what it can hold, in powers of two.

    >>> FORMATS[0].name, FORMATS[0].zero_below
    ('fp16', -25)
    """

    name: str
    largest: float
    """From here on a value becomes infinite, or NaN."""
    smallest_normal: int
    """Power of two below which digits are lost."""
    zero_below: int
    """Power of two below which nothing is left."""


FORMATS = (
    Format("fp16", 65520.0, -14, -25),
    Format("bf16", 3.3961775292304957e38, -126, -134),
    Format("fp8 e4m3", 464.0, -6, -10),
    Format("fp8 e5m2", 61440.0, -14, -17),
)
"""The limits are half a unit beyond the largest and below the smallest number: there rounding tips over."""


@dataclass(frozen=True, slots=True)
class Loss:
    """Which share of the values a format would turn to zero, keep with fewer digits, or turn to infinity."""

    zero: float
    fewer_digits: float
    overflow: float


def loss_in(kind: Format, counts: Sequence[int], shift: int = 0) -> Loss:
    """What a format would do to the values of a histogram, multiplied by two to the power of `shift`.

    Values spread evenly over the one bucket that a limit cuts in two. Zeros are no loss and count as values.

    >>> counts = [0] * 257; counts[128 + 1 + 20 + 64] = 1; counts[128] = 1
    >>> loss_in(FORMATS[0], counts)
    Loss(zero=0.0, fewer_digits=0.0, overflow=0.5)
    """
    total = sum(counts)
    if not total:
        return Loss(0.0, 0.0, 0.0)
    zero = fewer = over = 0.0
    for power, count in magnitudes(counts):
        scaled = power + shift
        if scaled < kind.zero_below:
            zero += count
        elif scaled < kind.smallest_normal:
            fewer += count
        over += count * _share_above(kind.largest, scaled)
    return Loss(zero / total, fewer / total, over / total)


def best_shift(kind: Format, counts: Sequence[int]) -> int | None:
    """The power of two to multiply by, such that nothing overflows and there is room for one power more.

    None when there are no values, or when nothing is lost as it is.
    """
    powers = [power for power, count in magnitudes(counts) if count]
    present = loss_in(kind, counts)
    if not powers or present.zero + present.overflow == 0:
        return None
    highest = max(power for power in range(LOWEST, 128) if 2.0 ** (power + 1) <= kind.largest)
    return highest - 1 - max(powers)


def magnitudes(counts: Sequence[int]) -> list[tuple[int, int]]:
    """The powers of two and how many values of either sign they hold; zeros left out."""
    side = HIGHEST - LOWEST + 1
    return [(LOWEST + place, int(counts[side + 1 + place]) + int(counts[side - 1 - place])) for place in range(side)]


def _share_above(limit: float, power: int) -> float:
    low, high = 2.0**power, 2.0 ** (power + 1)
    return min(max((high - limit) / (high - low), 0.0), 1.0)
