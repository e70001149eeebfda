"""Rows of the `stats` table for one update of the parameters, by the plain-torch kernel."""

from collections.abc import Sequence
from math import inf, nan
from typing import TypeGuard

import numpy as np
import torch
from torch import Tensor

from stetho.stats.columns import RATIO, RMS, merged, table
from stetho.stats.copies import Copies, Copy
from stetho.stats.pieces import Values, summaries_of
from stetho.stats.summary import NEAR_UNDERFLOW, Summary
from stetho.stats.torch_kernel import SMALL, Pending, columns_of, hold, measure, measure_values


class UpdateRows:
    """Measures tensors around an update: before it, and what has changed after it.

    >>> rows, weight = UpdateRows(most=1000), torch.full((3,), 4.0)
    >>> rows.before([7], [weight])
    48.0
    >>> rows.changes([8], [weight.add_(1.0)])
    >>> memoryview(rows.take()).cast("d", (2, 13)).tolist()[1][-1]  # the last column is the ratio
    0.25
    """

    def __init__(self, most: int) -> None:
        self._copies = Copies(most)
        self._series: list[int] = []
        self._items: list[Pending] = []
        self._before: Sequence[int] = ()
        self._compared: dict[int, int] = {}
        """The series of changes, and of what it was that changed."""
        self._differences: Sequence[Copy | None] = ()

    def before(self, series: Sequence[int], tensors: Sequence[Tensor]) -> float | None:
        """Measure the parameters, and copy them or a sample of them. Gives their sum of squares where it is known."""
        copies = self._copies.keep(tensors)
        self._before = series
        # A whole copy serves both: what will have changed, and what it is that changes.
        pairs = zip(tensors, copies, strict=True)
        items = [copy if _is_held(copy) and len(copy) == tensor.numel() else hold(tensor) for tensor, copy in pairs]
        return self._measured(series, items)

    def add(self, series: Sequence[int], tensors: Sequence[Tensor]) -> float | None:
        """Measure other tensors. Gives their sum of squares where it is known at once."""
        return self._measured(series, [hold(tensor) for tensor in tensors])

    def changes(self, series: Sequence[int], tensors: Sequence[Tensor]) -> None:
        """Measure the parameters less their copies; one that has another form by now is left out."""
        self._differences = self._copies.differences(tensors)
        for before, one, change in zip(self._before, series, self._differences, strict=True):
            if change is not None:
                self._compared[one] = before
                self._series.append(one)
                self._items.append(_pending(change))

    def join(self, series: list[int], items: list[Pending]) -> None:
        """Finish these together with the others: that costs less than to finish them alone."""
        self._series += series
        self._items += items

    @property
    def differences(self) -> list[Tensor | None]:
        """What the last changes were."""
        return [None if change is None else torch.as_tensor(change) for change in self._differences]

    def take(self) -> bytes:
        """All rows so far as they are stored, finished, in any order; nothing is kept."""
        if not self._items:
            return b""
        places, columns = columns_of(self._items)
        series, calls, columns = merged([self._series[place] for place in places], [1] * len(places), columns)
        rows = table(series, calls, columns)
        if self._compared:
            place = dict(zip(series, range(len(series)), strict=True))
            sizes = rows[:, RMS].tolist()
            for change, before in self._compared.items():
                if sizes[place[before]] > 0:
                    rows[place[change], RATIO] = sizes[place[change]] / sizes[place[before]]
        self.clear()
        return rows.tobytes()

    def clear(self) -> None:
        """Forget an update that never came to its end."""
        self._series, self._items, self._compared, self._differences = [], [], {}, ()
        self._copies.clear()

    def _measured(self, series: Sequence[int], items: list[Pending]) -> float | None:
        self._series += series
        self._items += items
        total = 0.0
        with np.errstate(all="ignore"):  # a warning would be the program's
            for item in items:
                if isinstance(item, Tensor):
                    return None
                total += _power(item)
        return total


def sum_of_squares(_tensors: Sequence[Tensor]) -> float | None:
    """The sum of the squares of all elements where one pass gives it at once: not here."""
    return None


def gradient_power(_parameters: Sequence[Tensor]) -> float | None:
    """The same of the gradients of parameters: not here either."""
    return None


def _is_held(copy: Copy) -> TypeGuard[Values]:
    """Whether a copy waits to be measured with others."""
    return isinstance(copy, np.ndarray) and 0 < len(copy) <= SMALL


def _pending(change: Copy) -> Pending:
    if _is_held(change):
        return change
    return measure_values(change) if isinstance(change, np.ndarray) else measure(change)


def _power(measured: Values | Summary) -> float:
    """The sum of the squares of what was measured; no number where a value is not finite."""
    if isinstance(measured, np.ndarray):
        power = float(measured.dot(measured))
        if NEAR_UNDERFLOW < power < inf:
            return power
        (measured,) = summaries_of([measured])
    if measured.finite < measured.elements:
        return nan
    return measured.squares + measured.elements * measured.mean * measured.mean
