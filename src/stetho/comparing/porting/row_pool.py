"""Rows of all weights of a model, to find those of another weight among them, in whatever order they lie there."""

from collections.abc import Iterator, Mapping

import numpy as np

from stetho.comparing.models.trace import Array
from stetho.comparing.porting.recipe import Recipe

MOST_SOURCES = 4
Place = tuple[str, int]


class RowPool:
    """Knows where a row lies by its values, which are looked at when a row of this length is first asked for.

    >>> held = np.arange(6.0).reshape(3, 2)
    >>> [(each.sources, each.rows) for each in RowPool({"w": held}).recipes(held[[2, 0]])]
    [(('w',), (2, 0))]
    """

    def __init__(self, weights: Mapping[str, Array]) -> None:
        self._weights = weights
        self._places: dict[tuple[int, ...], dict[int, Place]] = {}

    def recipes(self, value: Array) -> Iterator[Recipe]:
        """How a tensor is made of these rows, if all of them are there."""
        if not value.ndim or len(value) < 2:
            return
        known, found = self._rows(value.shape[1:]), []
        for row in value:
            place = known.get(_key(row))
            if place is None:
                return
            found.append(place)
        sources = tuple(dict.fromkeys(name for name, _ in found))
        if len(set(found)) == len(found) and len(sources) <= MOST_SOURCES:
            starts = np.cumsum([0, *(len(self._weights[name]) for name in sources)])
            before = dict(zip(sources, starts.tolist(), strict=False))
            yield Recipe(sources, value.shape, rows=tuple(before[name] + at for name, at in found))

    def _rows(self, shape: tuple[int, ...]) -> dict[int, Place]:
        if shape not in self._places:
            fitting = {name: each for name, each in self._weights.items() if each.ndim and each.shape[1:] == shape}
            rows = ((_key(row), (name, at)) for name, each in fitting.items() for at, row in enumerate(each))
            self._places[shape] = dict(rows)
        return self._places[shape]


def _key(row: Array) -> int:
    return hash(np.asarray(row, np.float64).tobytes())
