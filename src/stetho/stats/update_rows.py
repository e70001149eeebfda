"""Rows of the `stats` table for one update of the parameters, by the plain-torch kernel."""

from collections.abc import Sequence
from math import nan

from torch import Tensor

from stetho.stats.copies import Copies
from stetho.stats.summary import Summary
from stetho.stats.torch_kernel import Pending, fetch, is_small, measure, measure_all, table


class UpdateRows:
    """Measures tensors around an update: before it, and what has changed after it.

    >>> import torch
    >>> rows, weight = UpdateRows(most=1000), torch.full((3,), 4.0)
    >>> rows.before([7], [weight])
    48.0
    >>> rows.changes([8], [weight.add_(1.0)])
    >>> memoryview(rows.take()).cast("d", (2, 13)).tolist()[1][-1]  # the last column is the ratio
    0.25
    """

    def __init__(self, most: int) -> None:
        self._copies = Copies(most)
        self._items: list[tuple[int, Pending]] = []
        self._first = 0
        self._compared: dict[int, int] = {}
        self.differences: list[Tensor | None] = []

    def before(self, series: Sequence[int], tensors: Sequence[Tensor]) -> float | None:
        """Measure the parameters, and copy them or a sample of them. Gives their sum of squares where it is known."""
        self._copies.keep(tensors)
        self._first = len(self._items)
        return self.add(series, tensors)

    def add(self, series: Sequence[int], tensors: Sequence[Tensor]) -> float | None:
        """Measure other tensors. Gives their sum of squares where it is known at once."""
        measured = measure_all(tensors)
        is_here = not any(isinstance(each, Tensor) for each in measured)
        if is_here:
            # What was only copied is measured together, and all of it is in the cache now.
            measured = [*fetch(measured)]
        self._items += zip(series, measured, strict=True)
        return sum(map(_power, measured)) if is_here else None

    def changes(self, series: Sequence[int], tensors: Sequence[Tensor]) -> None:
        """Measure the parameters less their copies; one that has another form by now is left out."""
        self.differences = self._copies.differences(tensors)
        for place, (one, change) in enumerate(zip(series, self.differences, strict=True)):
            if change is not None:
                self._compared[len(self._items)] = self._first + place
                self._items.append((one, change.numpy() if is_small(change) else measure(change)))

    def take(self) -> bytes:
        """All rows so far as they are stored, finished; nothing is kept."""
        summaries = fetch([pending for _, pending in self._items])
        rows = [
            (series, 1, summary, self._ratio(place, summaries))
            for place, ((series, _), summary) in enumerate(zip(self._items, summaries, strict=True))
        ]
        self.clear()
        return table(rows).tobytes()

    def clear(self) -> None:
        """Forget an update that never came to its end."""
        self._items, self._compared, self.differences = [], {}, []
        self._copies.clear()

    def _ratio(self, place: int, summaries: Sequence[Summary]) -> float:
        before = self._compared.get(place)
        size = summaries[before].rms if before is not None else 0.0
        return summaries[place].rms / size if size > 0 else nan


def _power(measured: Pending) -> float:
    """The sum of the squares of what was measured; no number where a value is not finite."""
    if not isinstance(measured, Summary) or measured.finite < measured.elements:
        return nan
    return measured.squares + measured.elements * measured.mean * measured.mean


def sum_of_squares(_tensors: Sequence[Tensor]) -> float | None:
    """The sum of the squares of all elements where one pass gives it at once: not here."""
    return None


def gradient_power(_parameters: Sequence[Tensor]) -> float | None:
    """The same of the gradients of parameters: not here either."""
    return None
