"""Batches that travel from the workers in half of their bytes: numbers of 32 bits as such of 16, and back."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

WORTHWHILE = 256 * 1024
"""Bytes of a batch; what is smaller travels fast enough."""


class Shrinking:
    """A collate function that makes batches smaller; workers get a copy of it, so it can be pickled."""

    def __init__(self, collate: Callable[[Any], Any]) -> None:
        self._collate = collate

    def __call__(self, samples: Any) -> Any:
        """The batch of some samples, smaller."""
        return each_tensor(self._collate(samples), lambda tensor: _cast(tensor, torch.float32, torch.float16))


def restored(batch: Any) -> Any:
    """The batch as the program expects it, but for the digits that were lost.

    >>> restored([torch.zeros(2, dtype=torch.float16)])[0].dtype
    torch.float32
    """
    return each_tensor(batch, lambda tensor: _cast(tensor, torch.float16, torch.float32))


def is_worthwhile(batch: Any) -> bool:
    """Whether a batch has much to shrink, and nothing that is small already."""
    found: list[Tensor] = []
    each_tensor(batch, lambda tensor: found.append(tensor) or tensor)  # type: ignore[func-returns-value]
    large = sum(tensor.numel() * 4 for tensor in found if tensor.dtype == torch.float32 and tensor.is_cpu)
    return large >= WORTHWHILE and all(tensor.dtype != torch.float16 for tensor in found)


def each_tensor(value: Any, change: Callable[[Tensor], Tensor]) -> Any:
    """A batch with each of its tensors changed; what is in objects of other kinds stays."""
    if isinstance(value, Tensor):
        return change(value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(each_tensor(inner, change) for inner in value))
    if type(value) in (list, tuple):
        return type(value)(each_tensor(inner, change) for inner in value)
    if type(value) is dict:
        return {key: each_tensor(inner, change) for key, inner in value.items()}
    return value


def _cast(tensor: Tensor, before: torch.dtype, after: torch.dtype) -> Tensor:
    return tensor.to(after) if tensor.dtype == before else tensor
