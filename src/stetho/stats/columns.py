"""Summaries of many tensors side by side, and the rows of the `stats` table that they become.

A step has dozens of them: worked out together they cost what two or three would cost alone.
"""

from collections.abc import Sequence
from math import nan

import numpy as np
import numpy.typing as npt

from stetho.stats.catalogue import MEASURES
from stetho.stats.summary import Summary

Columns = npt.NDArray[np.float64]
"""A line for each field of a summary, a column for each tensor."""

LOW, STD, RMS, ABSMAX, RATIO = (
    [measure.name for measure in MEASURES].index(name) + 1 for name in ("min", "std", "rms", "absmax", "ratio")
)
"""Where a row has these; its first number is the series."""


def columns_of_summaries(summaries: Sequence[Summary]) -> Columns:
    """These summaries side by side.

    >>> columns_of_summaries([Summary(1, 0, 0, 0, 5.0, 5.0, 5.0, 0.0)] * 2).shape
    (8, 2)
    """
    return np.array(summaries, np.float64).reshape(-1, len(Summary._fields)).T


def merged(series: list[int], calls: list[int], columns: Columns) -> tuple[list[int], list[int], Columns]:
    """All tensors of one series put together, where the first of them is; like `Summary.merged`.

    >>> two = columns_of_summaries([Summary(1, 0, 0, 0, 5.0, 5.0, 5.0, 0.0), Summary(1, 0, 0, 0, 9.0, 9.0, 9.0, 0.0)])
    >>> series, calls, columns = merged([3, 3], [1, 1], two)
    >>> series, calls, columns[:, 0].tolist()
    ([3], [2], [2.0, 0.0, 0.0, 0.0, 5.0, 9.0, 7.0, 8.0])
    """
    places: dict[int, int] = {}
    groups = [places.setdefault(one, len(places)) for one in series]
    if len(places) == len(series):
        return series, calls, columns
    order = np.argsort(groups, kind="stable")
    counts = np.bincount(groups)
    begins = np.cumsum(counts) - counts
    columns = columns[:, order]
    elements, nans, infs, _, low, high, mean, squares = columns
    finite = elements - nans - infs
    mean = np.where(finite > 0, mean, 0.0)
    with np.errstate(all="ignore"):  # a warning would be the program's
        middle = np.add.reduceat(mean * finite, begins) / np.add.reduceat(finite, begins)
        apart = np.where(finite > 0, mean - np.repeat(middle, counts), 0.0)
        spread = np.add.reduceat(squares + apart * apart * finite, begins)
    sums = np.add.reduceat(columns[:4], begins, axis=1)
    extremes = np.minimum.reduceat(low, begins), np.maximum.reduceat(high, begins)
    together = np.add.reduceat(np.asarray(calls)[order], begins)
    return [*places], together.tolist(), np.stack([*sums, *extremes, middle, spread])


def table(series: Sequence[int], calls: Sequence[int], columns: Columns) -> npt.NDArray[np.float64]:
    """Rows for the `stats` table, one below the other: the series, then the measures, the last of which is the ratio.

    >>> table([7], [1], columns_of_summaries([Summary(1, 0, 0, 0, 5.0, 5.0, 5.0, 0.0)])).shape
    (1, 13)
    """
    lines = np.empty((1 + len(MEASURES), columns.shape[1]))
    elements, nans, infs, _, low, high, mean, squares = columns
    with np.errstate(all="ignore"):  # a warning would be the program's
        finite = elements - nans - infs
        variance = np.fmax(squares, 0.0) / finite
        lines[0], lines[1] = series, calls
        lines[2:STD] = columns[:-1]
        np.sqrt(variance, out=lines[STD])
        np.sqrt(mean * mean + variance, out=lines[RMS])
        np.maximum(np.abs(low), np.abs(high), out=lines[ABSMAX])
        lines[RATIO] = nan
    if not finite.all():
        lines[LOW:RATIO, finite == 0] = nan
    return lines.T
