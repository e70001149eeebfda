"""A batch in parts: tensors are cut along their first dimension, whatever they are wrapped in."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.utils._pytree import tree_flatten, tree_map_only

from stetho.errors import UsageError


def size_of(batch: Any) -> int:
    """How many samples a batch has: the length of the first tensor in it.

    >>> size_of({"x": torch.zeros(4, 2), "y": torch.zeros(4)})
    4
    """
    for each in tree_flatten(batch)[0]:
        if isinstance(each, Tensor) and each.dim() > 0:
            return len(each)
    raise UsageError("a batch holds no tensor with samples along its first dimension, so it cannot be cut in parts")


def cut(batch: Any, parts: int) -> list[Any]:
    """A batch in so many parts of nearly equal size.

    >>> [size_of(part) for part in cut(torch.zeros(7, 2), 3)]
    [3, 2, 2]
    """
    size = size_of(batch)
    if size < parts:
        raise UsageError(f"a batch of {size} samples cannot be cut in {parts} parts; give larger batches")
    places = torch.arange(size).tensor_split(parts)
    return [tree_map_only(Tensor, _taker(place, size), batch) for place in places]


def _taker(place: Tensor, size: int) -> Callable[[Tensor], Tensor]:
    """Takes some samples out of a tensor that has one of each; others are left whole."""
    return lambda each: each[place.to(each.device)] if each.dim() > 0 and len(each) == size else each
