"""The loss of two runs, step by step."""

from dataclasses import dataclass

import numpy as np

from stetho.comparing.runs.recorded import Array, Recorded

TOLERANCE = 1e-3


@dataclass(frozen=True)
class Curve:
    """The losses of the steps that both runs have. `first_off` is the first step apart by more than the tolerance."""

    steps: Array
    one: Array
    other: Array
    tolerance: float
    only: tuple[int, int]
    """How many steps each run has beyond those."""

    @property
    def apart(self) -> Array:
        """Relative difference at each step; infinite where one side alone is not finite."""
        with np.errstate(all="ignore"):
            apart = np.abs(self.one - self.other) / np.maximum(np.abs(self.one), np.abs(self.other))
        apart[(self.one == self.other) | (np.isnan(self.one) & np.isnan(self.other))] = 0.0
        return np.asarray(np.nan_to_num(apart, nan=np.inf, posinf=np.inf))

    @property
    def first_off(self) -> int | None:
        """The first step whose losses are further apart than the tolerance."""
        off = np.flatnonzero(self.apart > self.tolerance)
        return int(self.steps[off[0]]) if len(off) else None

    @property
    def first_unequal(self) -> int | None:
        """The first step whose losses are not equal bit by bit."""
        off = np.flatnonzero(self.apart > 0)
        return int(self.steps[off[0]]) if len(off) else None

    def at(self, step: int) -> tuple[float, float, float] | None:
        """Both losses of a step and how far they are apart; None if one of the runs does not have it."""
        found = np.flatnonzero(self.steps == step)
        if not len(found):
            return None
        return float(self.one[found[0]]), float(self.other[found[0]]), float(self.apart[found[0]])


def curve_of(one: Recorded, other: Recorded, tolerance: float = TOLERANCE) -> Curve:
    """The losses of two runs side by side; steps whose loss nobody saw are left out."""
    common, mine, theirs = np.intersect1d(one.steps["step"], other.steps["step"], return_indices=True)
    a, b = one.steps["loss"][mine], other.steps["loss"][theirs]
    seen = one.steps["loss_seen"][mine] & other.steps["loss_seen"][theirs]
    only = (len(one.steps["step"]) - len(common), len(other.steps["step"]) - len(common))
    return Curve(common[seen].astype(np.int64), a[seen], b[seen], tolerance, only)
