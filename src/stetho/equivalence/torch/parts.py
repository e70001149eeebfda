"""A batch in parts: tensors are cut along their first dimension, whatever they are wrapped in."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.utils._pytree import tree_flatten, tree_map_only, tree_unflatten

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


def merged(batches: Sequence[Any]) -> Any:
    """Several batches as one.

    >>> size_of(merged([{"x": torch.zeros(4, 2)}, {"x": torch.zeros(3, 2)}]))
    7
    """
    leaves, forms = zip(*map(tree_flatten, batches), strict=True)
    sizes = [size_of(batch) for batch in batches]
    if any(form != forms[0] for form in forms):
        raise UsageError("batches that follow one another hold different things, so they cannot be merged")
    try:
        whole = [_merged(parts, sizes) for parts in zip(*leaves, strict=True)]
    except RuntimeError as error:
        raise UsageError(f"batches that follow one another cannot be merged: {error}") from None
    return tree_unflatten(whole, forms[0])


def _merged(parts: Sequence[Any], sizes: Sequence[int]) -> Any:
    """One of each sample is put together; what belongs to no sample is that of the first batch."""
    is_of_samples = all(
        isinstance(part, Tensor) and part.dim() > 0 and len(part) == size
        for part, size in zip(parts, sizes, strict=True)
    )
    return torch.cat(list(parts)) if is_of_samples else parts[0]


def _taker(place: Tensor, size: int) -> Callable[[Tensor], Tensor]:
    """Takes some samples out of a tensor that has one of each; others are left whole."""
    return lambda each: each[place.to(each.device)] if each.dim() > 0 and len(each) == size else each
