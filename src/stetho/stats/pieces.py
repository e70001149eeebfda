"""Many small tensors measured together: one call of numpy for all of them, where each alone would cost as much."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from math import inf

import numpy as np
import numpy.typing as npt

from stetho.stats.columns import Columns
from stetho.stats.exact import exact
from stetho.stats.summary import NEAR_UNDERFLOW, NEGLIGIBLE, Summary

Values = npt.NDArray[np.float32]


def columns_of_pieces(pieces: Sequence[Values]) -> Columns:
    """The summaries of some flat arrays, none of which is empty.

    >>> columns_of_pieces([np.array([0, 4], np.float32), np.ones(3, np.float32)])[6].tolist()  # the means
    [2.0, 1.0]
    """
    columns = np.zeros((len(Summary._fields), len(pieces)))
    if not pieces:
        return columns
    _, _, _, zeros, lows, highs, means, squares = columns
    elements, begins, slices = _geometry(tuple(map(len, pieces)))
    columns[0] = elements
    together = np.concatenate(pieces) if len(pieces) > 1 else pieces[0]
    with np.errstate(all="ignore"):  # a warning would be the program's
        is_zero = together == 0
        if is_zero.any():
            zeros[:] = [np.count_nonzero(is_zero[each]) for each in slices]
        lows[:] = np.minimum.reduceat(together, begins)
        highs[:] = np.maximum.reduceat(together, begins)
        totals = np.add.reduceat(together, begins)
        powers = np.array([piece.dot(piece) for piece in pieces], np.float64)
        np.divide(totals, elements, out=means)
        np.subtract(powers, totals * means, out=squares)
        # The same as `from_sums` asks.
        is_right = (powers > NEAR_UNDERFLOW) & (squares > NEGLIGIBLE * powers) & (squares < inf)
        if not is_right.all():
            for place in np.flatnonzero(~is_right).tolist():
                columns[:, place] = exact(pieces[place], int(zeros[place]))
    return columns


@lru_cache(maxsize=32)
def _geometry(lengths: tuple[int, ...]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.intp], list[slice]]:
    """Where arrays of these lengths lie when they are put together: mostly where those of the last step were."""
    bounds = [0, *accumulate(lengths)]
    return np.array(lengths, np.float64), np.array(bounds[:-1], np.intp), [slice(a, b) for a, b in pairwise(bounds)]


def summaries_of(pieces: Sequence[Values]) -> list[Summary]:
    """The same, each for itself.

    >>> [each.mean for each in summaries_of([np.array([0, 4], np.float32), np.ones(3, np.float32)])]
    [2.0, 1.0]
    """
    columns = columns_of_pieces(pieces)
    counts, others = columns[:4].astype(int).T.tolist(), columns[4:].T.tolist()
    return [Summary(*whole, *rest) for whole, rest in zip(counts, others, strict=True)]
