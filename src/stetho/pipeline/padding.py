"""How much of a batch is filling: what is in it beyond what its samples hold."""

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from stetho.pipeline.arrays import Array, as_array

MASKS = ("attention_mask", "padding_mask", "pad_mask", "mask")

Leaves = Sequence[tuple[str, Any]]


class Padding:
    """Padding of each field over all batches.

    >>> padding = Padding()
    >>> padding.add([[("x", [1, 2, 3])], [("x", [4])]], [("x", np.array([[1, 2, 3], [4, 0, 0]]))])
    >>> padding.shares["x"], padding.fillers["x"]
    (0.3333333333333333, 0.0)
    """

    def __init__(self) -> None:
        self._filled: dict[str, int] = {}
        self._whole: dict[str, int] = {}
        self._fillers: dict[str, float] = {}
        self._doubted: set[str] = set()

    @property
    def shares(self) -> dict[str, float]:
        """The share of padding in each field that has any."""
        return {name: self._filled[name] / self._whole[name] for name in self.fillers}

    @property
    def fillers(self) -> dict[str, float]:
        """What it is filled with. Ends that are alike within each batch and unlike between batches are no padding."""
        return {name: filler for name, filler in self._fillers.items() if name not in self._doubted}

    def add(self, samples: Sequence[Leaves], batch: Leaves) -> None:
        """Take one batch in, with the samples that it was made of."""
        held = _sizes(samples)
        for name, value in batch:
            array = as_array(value)
            if array is None or array.ndim < 2 or not array.size:
                continue
            filled = _beyond(array, held.get(name))
            brought, filler = _brought(name, array) if not filled else (0, 0.0)
            self._filled[name] = self._filled.get(name, 0) + filled + brought
            self._whole[name] = self._whole.get(name, 0) + array.size
            if filled:
                self._fillers.setdefault(name, _filler(array, name, samples))
            elif brought and self._fillers.setdefault(name, filler) != filler:
                self._doubted.add(name)


def _sizes(samples: Sequence[Leaves]) -> dict[str, int]:
    """Elements of each field in all samples of a batch."""
    sizes: dict[str, int] = {}
    for sample in samples:
        for name, value in sample:
            array = as_array(value)
            if array is not None:
                sizes[name] = sizes.get(name, 0) + array.size
    return sizes


def _beyond(array: Array, held: int | None) -> int:
    return max(0, array.size - held) if held is not None else 0


def _brought(name: str, array: Array) -> tuple[int, float]:
    """Positions that samples were filled up with before they became a batch, and what with."""
    if name.rpartition(".")[2] in MASKS and array.dtype.kind in "biu":
        return int((array == 0).sum()), 0.0
    if array.dtype.kind not in "iu" or array.ndim != 2 or "torch" not in sys.modules:
        return 0, 0.0
    from stetho.pipeline.torch.padding import trailing_padding

    return trailing_padding(array)


def _filler(array: Array, name: str, samples: Sequence[Leaves]) -> float:
    """The value that the shortest sample was filled up with, at its end or, where that is its own, at its beginning."""
    own = [as_array(dict(sample).get(name)) for sample in samples]
    sizes = [each.size if each is not None else array.size for each in own]
    shortest = int(np.argmin(sizes))
    row, sample = array[min(shortest, len(array) - 1)].reshape(-1), own[shortest]
    is_left = sample is not None and 0 < sample.size < row.size and sample.reshape(-1)[0] != row[0]
    return float(row[0] if is_left else row[-1])
