"""Targets that are an element of their own input: a window that holds the value which it is to forecast."""

import numpy as np
import numpy.typing as npt
from torch import Tensor

from stetho.stats.arrays import array_of

MOST_LOOKS = 20
MOST_ELEMENTS = 4096
MOST_ROWS = 256
LEAST_DIFFERENT = 0.5
"""Targets of few values are equal to many things by chance."""


class Copied:
    """Which places of the input have held the very target, in every sample so far."""

    def __init__(self) -> None:
        self._looks = self._samples = 0
        self._shape: tuple[int, ...] = ()
        self._places: npt.NDArray[np.bool_] | None = None
        self._sums: npt.NDArray[np.float64] | int = 0
        """Of targets and places: of each, of their squares and of their products."""

    def add(self, inputs: Tensor, target: Tensor) -> None:
        """A batch with a number for each sample.

        Of several numbers some may stay as they are on purpose, as in the next state of something that moves.
        """
        shape = tuple(inputs.shape[1:])
        is_single = target.numel() == inputs.shape[0] > 0 and inputs.is_floating_point()
        if self._looks >= MOST_LOOKS or not is_single or not 1 < inputs[0].numel() <= MOST_ELEMENTS:
            return
        self._looks += 1
        rows = min(inputs.shape[0], MOST_ROWS)
        wanted = array_of(target.reshape(-1)[:rows].double())
        if len(np.unique(wanted)) < LEAST_DIFFERENT * rows:
            return
        given = array_of(inputs[:rows].reshape(rows, -1).double())
        same = (given == wanted[:, None]).all(0)
        if self._places is None:
            self._shape, self._places = shape, same
        elif self._shape == shape:
            self._places &= same
        else:
            self._places[:] = False
            return
        column = np.broadcast_to(wanted[:, None], given.shape)
        self._sums += np.stack([part.sum(0) for part in (column, given, column**2, given**2, column * given)])
        self._samples += rows

    def result(self) -> dict[str, object] | None:
        """The one place that has held every target, of how many; None where there is none, or several."""
        if self._places is None or self._places.sum() != 1:
            return None
        place = [int(each) for each in np.unravel_index(int(self._places.argmax()), self._shape)]
        return {"samples": self._samples, "place": place, "shape": list(self._shape), "others": self._told_by_others()}

    def _told_by_others(self) -> float:
        """The largest correlation of the target with any other place of the input."""
        assert self._places is not None
        targets, places, squared_targets, squares, products = np.asarray(self._sums) / max(self._samples, 1)
        spreads = (squared_targets - targets**2) * (squares - places**2)
        known = (spreads > 0) & ~self._places
        shared = np.abs(products - targets * places)[known] / np.sqrt(spreads[known])
        return float(shared.max(initial=0.0))
