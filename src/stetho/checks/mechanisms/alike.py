"""Units that are one unit to the end: what is learnt for each of them is the same number for all."""

from stetho.checks.run.facts import Parameter
from stetho.checks.window import Window

FEWEST = 4
SAME = 1e-3
"""A sum in another order rounds otherwise: what differs by so much of the way that was gone is the same."""


def units_stay_alike(window: Window, weight: Parameter) -> bool:
    """Whether a vector with one number for each unit of a weight moved, and all its numbers moved alike."""
    beside = [p for p in window.parameters if p.model == weight.model and len(p.shape) == 1 and p.count >= FEWEST]
    return any(p.count in weight.shape and p.layer == weight.layer and _moves_as_one(window, p) for p in beside)


def _moves_as_one(window: Window, vector: Parameter) -> bool:
    """Whether its smallest and its largest number go the same way from the first step to the last."""
    low, high, update = (
        window.parameter_stat(stat, vector) for stat in ("param.min", "param.max", "update.absmax")
    )  # fmt: skip
    if low is None or high is None or update is None or len(low) < 2 or low.first != high.first:
        return False
    way = abs(low.last - low.first)
    return bool(way > 0 and (update.values > 0).any() and high.last - low.last <= SAME * way)
