"""Whether a tensor holds NaN or infinite values, which ones, and where; sparse, complex and 8-bit tensors too."""

from dataclasses import dataclass
from math import inf, isfinite, isnan
from typing import Any

import torch
from torch import Tensor

from stetho.capture.torch.calls.leaves import is_plain
from stetho.stats.kernel import sum_of_squares

NARROW = (torch.float16, torch.bfloat16)
ROWS_LISTED = 32


@dataclass(frozen=True, slots=True)
class Trouble:
    """What is not finite in a tensor: NaN, or, where there is none, infinite values."""

    nan: bool
    inf: bool
    only_negative: bool = False
    """All of the infinite ones are minus infinity, as masks have it."""


def numbers_of(tensor: Tensor) -> Tensor:
    """The stored values as real numbers of a type that can be computed with, in any shape."""
    tensor = tensor.detach()
    if tensor.layout is not torch.strided:
        tensor = tensor._values() if tensor.layout is torch.sparse_coo else tensor.values()
    if tensor.is_complex():
        tensor = torch.view_as_real(tensor.resolve_conj())
    return tensor.float() if tensor.dtype.itemsize == 1 else tensor


def can_be_bad(value: object) -> bool:
    """Whether a value is a tensor that could hold NaN or infinities."""
    return is_plain(value) and (value.is_floating_point() or value.is_complex()) and not value.is_quantized


def trouble_of(tensor: Tensor) -> Trouble | None:
    """What is not finite in a tensor; None, at the price of reading it once, where all of it is.

    >>> trouble_of(torch.tensor([1.0, float("-inf")]))
    Trouble(nan=False, inf=True, only_negative=True)
    >>> trouble_of(torch.ones(3))
    """
    # The kernel is refused sparse tensors by an exception of torch's, which takes milliseconds.
    power = sum_of_squares((tensor,)) if tensor.layout is torch.strided else None
    if power is not None and isfinite(power):
        return None
    values = numbers_of(tensor)
    if values.numel() == 0:
        return None
    if power is None:
        # A sum is by far the cheapest test; it may overflow where no value does.
        total = values.sum(dtype=torch.float32) if values.dtype in NARROW else values.sum()
        if isfinite(total.item()):
            return None
    extremes = torch.aminmax(values)
    low, high = extremes.min.item(), extremes.max.item()
    if isfinite(low) and isfinite(high):
        return None
    is_nan = isnan(low) or isnan(high)
    return Trouble(is_nan, not is_nan, only_negative=not is_nan and high < inf)


@dataclass(frozen=True, slots=True)
class BadPlaces:
    """Where a tensor is NaN, or infinite where nothing is NaN."""

    first: tuple[int, ...]
    """The index of the first such element."""
    rows: list[int]
    """The indices along the first dimension that hold some, as many as are worth listing."""
    count: int


def bad_places(tensor: Tensor) -> BadPlaces | None:
    """Where a tensor is not finite; None where all of it is.

    >>> bad_places(torch.tensor([[1.0, float("inf")], [float("nan"), 0.0]]))
    BadPlaces(first=(1, 0), rows=[1], count=1)
    """
    mask = _bad_mask(tensor)
    count = int(mask.sum())
    if not count:
        return None
    if mask.dim() == 0:
        return BadPlaces((), [], count)
    flat = int(mask.reshape(-1).to(torch.uint8).argmax())
    first: list[int] = []
    for size in reversed(mask.shape):
        flat, here = divmod(flat, size)
        first.insert(0, here)
    rows = mask.reshape(mask.shape[0], -1).any(1).nonzero().reshape(-1)
    return BadPlaces(tuple(first), rows[:ROWS_LISTED].tolist(), count)


def bad_facts(tensor: Tensor | None, *, masks: bool = False) -> dict[str, Any]:
    """What is bad in a tensor, and where; nothing where all of it is finite, or it is a mask and those do not count."""
    trouble = trouble_of(tensor) if tensor is not None and can_be_bad(tensor) else None
    if tensor is None or trouble is None or not (trouble.nan or masks or not trouble.only_negative):
        return {}
    places = bad_places(tensor)
    if places is None:
        return {}
    return {
        "index": list(places.first),
        "shape": list(tensor.shape),
        "samples": places.rows,
        "bad": places.count,
        "result": "nan" if trouble.nan else "-inf" if trouble.only_negative else "inf",
    }


def _bad_mask(tensor: Tensor) -> Tensor:
    dense = tensor.detach()
    dense = dense.to_dense() if dense.layout is not torch.strided else dense
    dense = dense.float() if dense.dtype.itemsize == 1 else dense
    nan = torch.isnan(dense)
    return nan if bool(nan.any()) else torch.isinf(dense)
