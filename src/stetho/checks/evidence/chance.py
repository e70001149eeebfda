"""What chance alone would give: limits for the largest of many statistics, and for shares of right answers."""

import math
from statistics import NormalDist


def largest_chi_square(freedom: int, times: int, risk: float = 1e-3) -> float:
    """The value, divided by its degrees of freedom, that the largest of so many chi-squares exceeds with this risk.

    >>> 1.8 < largest_chi_square(9, 1, 0.05) < 2.0
    True
    """
    # Wilson and Hilferty: the cube root of a chi-square is nearly normal.
    z = NormalDist().inv_cdf(1 - risk / max(times, 1))
    width = 2 / (9 * freedom)
    return float((1 - width + z * math.sqrt(width)) ** 3)


def most_together(features: int, classes: int, deviations: float = 3.0) -> float:
    """What the features of labels tell on average, over what chance does, where there is nothing to tell.

    Many that tell a little each, as words do, are beyond it together.

    >>> round(most_together(features=50, classes=5), 2)
    1.3
    """
    return 1 + deviations * math.sqrt(2 / (features * max(classes - 1, 1)))


def share_noise(share: float, count: float, deviations: float = 3.0) -> float:
    """How far a share of so many answers lies from its expectation by chance.

    >>> round(share_noise(0.5, 100), 2)
    0.15
    """
    return deviations * math.sqrt(max(share * (1 - share), 1e-4) / max(count, 1.0))
