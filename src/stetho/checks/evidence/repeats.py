"""How often equal samples are no surprise, since there are few possible ones to draw from."""

import numpy as np

from stetho.checks.evidence.redrawn import sample_hashes
from stetho.checks.run.table import Table


def comes_again_by_chance(train: Table, overlap: float) -> bool:
    """Whether inputs are numbers of tokens, or bits, of which so many are equal by chance.

    How often two of one batch are equal tells how many there are to draw from.
    """
    often, seen = repeats(train), [len(s) for s in train["samples"] if s is not None and len(s)]
    low, high, mean, std = (train[name] for name in ("min", "max", "mean", "std"))
    apart = np.abs((mean - low) * (high - mean) - std**2)[std > 0] / std[std > 0] ** 2
    are_bits = bool(len(apart) and (apart < 0.05).all())
    are_whole = all(not str(dtype).startswith(("float", "bfloat", "double")) for dtype in train["dtype"])
    if are_whole and overlap < 2 * len(np.unique(sample_hashes(train))) / _possible(train):
        return True
    if often < 0.002 or not (are_bits or are_whole):
        return False
    possible = (np.mean(seen) - 1) / 2 / often
    return bool(overlap < 1.05 - np.exp(-np.sum(seen) / possible))


def _possible(rows: Table) -> float:
    """How many samples of whole numbers there can be: a few fields with a few values each are soon drawn again."""
    shapes = [shape for shape in rows["shape"] if shape is not None and len(shape)]
    elements = max((float(np.prod(shape[1:])) for shape in shapes), default=np.inf)
    values = np.nanmax(rows["max"], initial=-np.inf) - np.nanmin(rows["min"], initial=np.inf) + 1
    return float(max(values, 1.0) ** min(elements, 32)) if np.isfinite(values) else np.inf


def repeats(rows: Table) -> float:
    """How often a sample is in one batch twice."""
    pairs = [1 - len(np.unique(s)) / len(s) for s in rows["samples"] if s is not None and len(s) > 1]
    return float(np.mean(pairs)) if pairs else 0.0
