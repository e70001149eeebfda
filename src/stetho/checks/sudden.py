"""What comes suddenly: values far above those of the steps before them."""

import numpy as np

from stetho.checks.series import Array, Series
from stetho.checks.window import Window

BEFORE = 30
FROM_DATA = ("std", "max", "target_std")


def jump(series: Series | None, first: int, last: int) -> float:
    """By how much the value at some steps is above the level of the steps before; 1 when nothing is known.

    >>> jump(Series(np.arange(1, 12), np.append(np.ones(10), 7.0)), 11, 11)
    7.0
    """
    if series is None:
        return 1.0
    now: Array = series.between(first, last).finite.values
    before: Array = series.between(max(first - BEFORE, 0), first - 1).finite.values
    return float(now.max() / max(np.median(before), 1e-30)) if len(now) and len(before) >= 5 else 1.0


def data_jump(window: Window, step: int) -> float:
    """By how much the inputs or targets of a step stand out from those of the steps before."""
    passes = window.batches("train")
    return max(jump(Series(passes["step"], passes[name]), step, step) for name in FROM_DATA)
