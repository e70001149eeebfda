"""Weights of classes that a program applies by itself: what it multiplies the losses of single samples with."""

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from stetho.capture.torch.losses.differences import RESHAPING, factor_of, name_of, way_down
from stetho.stats.arrays import array_of

REDUCING = (*RESHAPING, "Mean", "Sum", "Neg", "Div", "Mul")
MOST_LOOKS = 100


class ClassWeights:
    """The least and the largest factor of each class over the batches that are looked at."""

    def __init__(self) -> None:
        self._least: npt.NDArray[np.float64] = np.zeros(0)
        self._most: npt.NDArray[np.float64] = np.zeros(0)
        self._looks = 0

    @property
    def wants_more(self) -> bool:
        """Whether another batch would be looked at."""
        return self._looks < MOST_LOOKS

    def look(self, loss: Tensor, labels: npt.NDArray[np.int64], classes: int) -> None:
        """A loss of samples with these labels goes backward."""
        try:
            factors = sample_factors(loss, len(labels))
        except RuntimeError:
            # What was changed in place since it was saved cannot be read.
            return
        if factors is None or not np.isfinite(factors).all():
            return
        self._looks += 1
        if len(self._least) != classes:
            self._least, self._most = np.full(classes, np.inf), np.full(classes, -np.inf)
        np.minimum.at(self._least, labels, factors)
        np.maximum.at(self._most, labels, factors)

    def result(self) -> dict[str, object] | None:
        """One weight for each class that was seen; None where samples of one class are weighed differently."""
        seen = np.isfinite(self._least)
        least, most = self._least[seen], self._most[seen]
        if not seen.any() or least.min() < 0 or (most - least > 1e-5 * most).any() or most.max() <= 0:
            return None
        weights = [float(weight) if known else None for weight, known in zip(self._most, seen, strict=True)]
        return {"weights": weights}


def sample_factors(loss: Tensor, count: int) -> npt.NDArray[np.float64] | None:
    """What the loss of each of so many samples is multiplied with; None where it is nothing, or not plain to see."""
    factors: Tensor | None = None
    with torch.no_grad():
        for node in way_down(loss, REDUCING):
            factor = factor_of(node) if name_of(node) == "Mul" else None
            if factor is not None and factor.numel() == count > 1:
                factors = factor if factors is None else factors.reshape(-1) * factor.reshape(-1)
    return None if factors is None else array_of(factors.reshape(-1).double())
