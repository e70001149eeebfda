"""Whether columns of the inputs hold one and the same value again and again, far away from all their other values.

That is how a number looks that stands for "missing". After standardisation it is another number, but as far away: the
rest of its column has been squeezed together. Columns with nothing but zeros are listed too.
"""

import numpy as np
import numpy.typing as npt
from torch import Tensor

from stetho.stats.arrays import array_of

Array = npt.NDArray[np.float64]

MOST_ROWS = 2000
ROWS_OF_A_BATCH = 256
MOST_COLUMNS = 64
LEAST_TIMES = 5
LEAST_OTHERS = 40
LEAST_DISTINCT = 10
"""Of ones and zeros, or a handful of kinds, one may be as far away as it likes."""
MOST_SHARE = 0.5
RANGES_AWAY = 10.0
SQUEEZED = 0.1


class FarValues:
    """Rows of the first model that is trained, each with the same columns."""

    def __init__(self) -> None:
        self._rows: list[Array] = []
        self._kept = 0
        self._model: int | None = None
        self._result: tuple[int, dict[str, object] | None] = (0, None)

    def add(self, model: int, inputs: Tensor) -> None:
        """A batch that a model is trained on."""
        is_table = inputs.is_floating_point() and inputs.dim() in (2, 3) and inputs.numel() > 0
        if not is_table or self._kept >= MOST_ROWS or self._model not in (None, model):
            return
        rows = inputs.detach().reshape(-1, inputs.shape[-1])
        some = array_of(rows[:: -(-len(rows) // ROWS_OF_A_BATCH), :MOST_COLUMNS].double())
        if self._rows and self._rows[0].shape[1] != some.shape[1]:
            return
        self._model = model
        self._rows.append(some)
        self._kept += len(some)

    def result(self) -> dict[str, object] | None:
        """The column whose far value is the furthest away, and how many columns have one; None with too few rows."""
        if self._kept < LEAST_OTHERS:
            return None
        if self._result[0] != self._kept:
            self._result = (self._kept, self._described(np.concatenate(self._rows)))
        return self._result[1]

    def _described(self, rows: Array) -> dict[str, object]:
        found = {place: far for place, column in enumerate(rows.T) if (far := far_value(column)) is not None}
        plain: dict[str, object] = {"model": self._model, "rows": len(rows), "columns": len(found)}
        plain["zeros"] = np.flatnonzero((rows == 0).all(0)).tolist()
        if not found:
            return plain
        furthest = max(found, key=lambda place: found[place]["away"])
        return plain | {"column": furthest, "of": rows.shape[1]} | found[furthest]


def far_value(column: Array) -> dict[str, float] | None:
    """The value at an end of a column that repeats and lies far from all others; None where there is none.

    >>> ages = np.tile(np.arange(20.0, 60.0), 5)
    >>> far_value(np.append(ages, [-999.0] * 8))["value"], far_value(np.append(ages, [80.0] * 8)) is None
    (-999.0, True)
    """
    if not np.isfinite(column).all():
        return None
    for value in (float(column.min()), float(column.max())):
        others = column[column != value]
        times = len(column) - len(others)
        if times < LEAST_TIMES or len(others) < LEAST_OTHERS or times > MOST_SHARE * len(column):
            continue
        low, high, spread = float(others.min()), float(others.max()), float(others.std())
        gap = low - value if value < low else value - high
        is_far = gap > RANGES_AWAY * (high - low) and spread < SQUEEZED * float(column.std())
        if is_far and len(np.unique(others)) >= LEAST_DISTINCT:
            share = times / len(column)
            return {"value": value, "share": share, "low": low, "high": high, "away": gap / max(high - low, 1e-30)}
    return None
