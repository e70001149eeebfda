"""Two kinds of ids that tell a number only together, as who rates what: a few factors of each, multiplied."""

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Column = npt.NDArray[np.int64]

FACTORS = 4
ROUNDS = 12
RIDGE = 1.0


class Factors:
    """Factors for each value of two columns of ids, fitted in turns to what is to be told."""

    def __init__(self, one: Column, other: Column, wanted: Array) -> None:
        self._values = [np.unique(column) for column in (one, other)]
        places = [np.searchsorted(values, column) for values, column in zip(self._values, (one, other), strict=True)]
        self._scale = float(wanted.std())
        drawn = np.random.default_rng(0)
        self._factors = [drawn.normal(size=(len(values), FACTORS)) / 2 for values in self._values]
        told = wanted / max(self._scale, 1e-12)
        for turn in range(2 * ROUNDS):
            side = turn % 2
            self._factors[side] = _fitted(self._factors[1 - side][places[1 - side]], places[side], told)

    def answers(self, one: Column, other: Column) -> Array:
        """What the factors say of pairs of ids; nothing of those with an id that was not there before."""
        found = np.full((len(one), FACTORS), self._scale)
        for values, factors, column in zip(self._values, self._factors, (one, other), strict=True):
            place = np.minimum(np.searchsorted(values, column), len(values) - 1)
            found *= np.where((values[place] == column)[:, None], factors[place], 0.0)
        return np.asarray(found.sum(1))


def _fitted(given: Array, place: Column, told: Array) -> Array:
    """Ridge regression on the factors of the other side, for each id of its own."""
    groups = int(place.max()) + 1
    products, sums = np.zeros((groups, FACTORS, FACTORS)), np.zeros((groups, FACTORS))
    np.add.at(products, place, given[:, :, None] * given[:, None, :])
    np.add.at(sums, place, given * told[:, None])
    return np.asarray(np.linalg.solve(products + RIDGE * np.eye(FACTORS), sums[..., None])[..., 0], np.float64)
