"""Many small tensors measured together: one call of numpy for all of them, where each alone would cost as much."""

from collections.abc import Sequence
from itertools import accumulate, pairwise

import numpy as np
import numpy.typing as npt

from stetho.stats.exact import exact
from stetho.stats.summary import Summary, from_sums

Values = npt.NDArray[np.float32]


def summaries_of(pieces: Sequence[Values]) -> list[Summary]:
    """A summary of each of some flat arrays, none of which is empty.

    >>> [each.mean for each in summaries_of([np.array([0, 4], np.float32), np.ones(3, np.float32)])]
    [2.0, 1.0]
    """
    if not pieces:
        return []
    together = np.concatenate(pieces) if len(pieces) > 1 else pieces[0]
    bounds = [0, *accumulate(map(len, pieces))]
    with np.errstate(all="ignore"):  # a warning would be the program's
        begins = bounds[:-1]
        lows = np.minimum.reduceat(together, begins).tolist()
        highs = np.maximum.reduceat(together, begins).tolist()
        totals = np.add.reduceat(together, begins).tolist()
        is_zero = together == 0
        zeros = [int(np.count_nonzero(is_zero[a:b])) for a, b in pairwise(bounds)] if is_zero.any() else [0] * len(lows)
        found = []
        for piece, nothing, low, high, total in zip(pieces, zeros, lows, highs, totals, strict=True):
            summary = from_sums(len(piece), nothing, low, high, total, float(piece.dot(piece)))
            found.append(summary if summary is not None else exact(piece, nothing))
    return found
