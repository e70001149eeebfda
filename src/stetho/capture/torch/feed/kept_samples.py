"""A few samples with their targets, each of them once: features as numbers, and ids such as those of users and items.

Of pictures and signals there are also the features that they would have if they were mirrored.
"""

import zlib
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from stetho.capture.torch.feed.dependence import feature_rows
from stetho.capture.torch.feed.pooled import Pictures, are_pictures, mirrored_ways, pooled
from stetho.stats.arrays import array_of

Array = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]

MOST_FEATURES = 64
MOST_ID_COLUMNS = 4
IDS_FOR_ONE = 3
WIDE = 64


class Told(NamedTuple):
    """What samples are told by: numbers, a row for each sample; ids; and the numbers of each mirrored way."""

    features: Array
    ids: Whole
    mirrored: Array
    """The axes are samples, ways, features."""

    def rows(self, chosen: Any) -> "Told":
        """The same of some samples."""
        return Told(*(part[chosen] for part in self))


class KeptSamples:
    """Samples of one phase, as many as are wanted of it."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._seen: set[int] = set()
        self._told: list[Told] = []
        self._targets: list[Array] = []
        self.classes = 0

    @property
    def wants_more(self) -> bool:
        """Whether there is room for others: for many that are ids alone, as they are small, and for few pictures."""
        width = self._told[0].features.shape[1] if self._told else 1
        return len(self) < (IDS_FOR_ONE * self._most if not width else self._most // 2 if width > WIDE else self._most)

    def __len__(self) -> int:
        return len(self._seen)

    def add(self, told: Told, targets: Array, classes: int) -> None:
        """Add a batch; of targets that are numbers, `classes` is 0. Samples of another kind are left out."""
        if self._told:
            first = [part.shape[1:] for part in self._told[0]]
            if first != [part.shape[1:] for part in told] or self.classes != classes:
                return
        self.classes = classes
        new = []
        for place, (row, own, target) in enumerate(zip(told.features, told.ids, targets.tolist(), strict=True)):
            key = zlib.crc32(np.float64(target).tobytes() + row.tobytes() + own.tobytes())
            if key not in self._seen and self.wants_more:
                self._seen.add(key)
                new.append(place)
        self._told.append(told.rows(new))
        self._targets.append(targets[new])

    def all(self) -> tuple[Told, Array]:
        """All samples, and their targets."""
        parts = (np.concatenate(part) for part in zip(*self._told, strict=True))
        return Told(*parts), np.concatenate(self._targets)


def described(given: Iterable[Tensor], count: int, *, mirrored: bool) -> Told | None:
    """What so many samples are told by: features of the first tensor that has any, and the columns of ids."""
    fitting = [tensor.detach() for tensor in given if tensor.dim() and len(tensor) == count and _is_readable(tensor)]
    columns = [column for tensor in fitting if _holds_ids(tensor) for column in tensor.reshape(count, -1).T]
    others = [tensor for tensor in fitting if not _holds_ids(tensor)]
    if not columns and not others:
        return None
    ids = [array_of(each).astype(np.int64) for each in columns[:MOST_ID_COLUMNS]]
    told = _features(others[0], mirrored) if others else (np.zeros((count, 0)), np.zeros((count, 0, 0)))
    if not np.isfinite(told[0]).all():
        return None
    return Told(told[0], np.stack(ids, 1) if ids else np.zeros((count, 0), np.int64), told[1])


def _features(inputs: Tensor, mirrored: bool) -> tuple[Array, Array]:
    """Features as they are, and for each way to mirror the samples."""
    nothing = np.zeros((len(inputs), 0, 0))
    if not inputs.is_floating_point():
        return feature_rows(inputs), nothing
    if not are_pictures(tuple(inputs.shape)):
        return _elements(array_of(inputs.reshape(len(inputs), -1).double())), nothing
    pictures = array_of(inputs.float())
    ways = mirrored_ways(pictures.ndim - 2) if mirrored else []
    turned = [_of_pictures(np.flip(pictures, way)) for way in ways]
    return _of_pictures(pictures), np.stack(turned, 1) if turned else nothing


def _of_pictures(pictures: Pictures) -> Array:
    return np.hstack([_elements(pictures.reshape(len(pictures), -1)).astype(np.float64), pooled(pictures)])


def _elements(rows: Any) -> Any:
    return rows[:, :: -(-rows.shape[1] // MOST_FEATURES)]


def _holds_ids(tensor: Tensor) -> bool:
    is_whole = not tensor.is_floating_point() and tensor.dtype is not torch.bool
    return is_whole and tensor.numel() <= MOST_ID_COLUMNS * len(tensor)


def _is_readable(tensor: Tensor) -> bool:
    return tensor.layout is torch.strided and not tensor.is_complex() and tensor.numel() > 0
