"""The slow and exact way to sum values up, for those whose plain sums cannot be trusted."""

from math import inf
from typing import Any

import numpy as np
import numpy.typing as npt

from stetho.stats.summary import EMPTY, Summary


def exact(values: npt.NDArray[Any], zeros: int) -> Summary:
    """Every number in double precision, non-finite values counted and left out; numpy must have been told not to warn.

    >>> exact(np.array([1.0, 3.0, np.nan]), 0)[:3], exact(np.array([1.0, 3.0, np.nan]), 0).mean
    ((3, 1, 0), 2.0)
    """
    low, high = float(values.min()), float(values.max())
    if -inf < low == high < inf:
        # A constant tensor is common (fresh biases and norms) and needs no second look.
        return Summary(values.size, 0, 0, zeros, low, high, low, 0.0)
    wide = values.astype(np.float64, copy=False)
    finite = np.isfinite(wide)
    nans = int(np.count_nonzero(np.isnan(wide)))
    infs = wide.size - int(np.count_nonzero(finite)) - nans
    if nans or infs:
        wide = wide[finite]
    if wide.size == 0:
        return Summary(values.size, nans, infs, 0, EMPTY.low, EMPTY.high, 0.0, 0.0)
    mean = wide.mean()
    squares = np.square(wide - mean).sum()
    return Summary(values.size, nans, infs, zeros, float(wide.min()), float(wide.max()), float(mean), float(squares))
