"""What comes suddenly: values far above those of the steps before them."""

from collections.abc import Sequence

import numpy as np

from stetho.checks.run.series import Array, Series
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


def is_thrown_by_a_batch(loss: Series, updates: Sequence[Series], *, factor: float = 50.0, small: float = 0.01) -> bool:
    """Whether the first great jump of the loss follows a small update: then its batch did it, and not the weights."""
    for place in range(10, len(loss)):
        level = float(np.median(loss.values[max(place - 15, 0) : place]))
        # A loss that has been as high before, as after long steps, was thrown by something else already.
        is_record = loss.values[place] > np.nanmax(loss.values[:place])
        if is_record and loss.values[place] > factor * max(level, 1e-30):
            before = [one.between(int(loss.steps[place - 1]), int(loss.steps[place - 1])).values for one in updates]
            known = [float(values[0]) for values in before if len(values)]
            return bool(known) and max(known) < small
    return False
