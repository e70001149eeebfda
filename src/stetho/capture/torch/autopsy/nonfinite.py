"""Whether a tensor holds NaN or infinite values, which ones, and where; sparse, complex and 8-bit tensors too."""

from dataclasses import dataclass
from math import inf, isfinite, isnan

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
    # A sum is by far the cheapest test; it may overflow where no value does.
    total = values.sum(dtype=torch.float32) if values.dtype in NARROW else values.sum()
    if isfinite(total.item()):
        return None
    low, high = (float(extreme) for extreme in torch.aminmax(values))
    if isfinite(low) and isfinite(high):
        return None
    is_nan = isnan(low) or isnan(high)
    return Trouble(is_nan, not is_nan, only_negative=not is_nan and high < inf)


def first_bad(tensor: Tensor) -> tuple[int, ...]:
    """The index of the first NaN, or of the first infinite value where there is no NaN.

    >>> first_bad(torch.tensor([[1.0, float("inf")], [float("nan"), 0.0]]))
    (1, 0)
    """
    values = bad_mask(tensor)
    flat = int(values.reshape(-1).to(torch.uint8).argmax())
    place: list[int] = []
    for size in reversed(tensor.shape):
        flat, here = divmod(flat, size)
        place.insert(0, here)
    return tuple(place)


def bad_mask(tensor: Tensor) -> Tensor:
    """Which elements are NaN; which are infinite, where none is NaN."""
    dense = tensor.detach()
    dense = dense.to_dense() if dense.layout is not torch.strided else dense
    dense = dense.float() if dense.dtype.itemsize == 1 else dense
    nan = torch.isnan(dense)
    return nan if bool(nan.any()) else torch.isinf(dense)


def bad_rows(tensor: Tensor) -> list[int]:
    """The indices along the first dimension that hold NaN or infinite values, as many as are worth listing.

    >>> bad_rows(torch.tensor([[1.0, 2.0], [float("nan"), 0.0]]))
    [1]
    """
    if tensor.dim() == 0:
        return []
    mask = bad_mask(tensor)
    rows = mask.reshape(mask.shape[0], -1).any(1)
    return [int(row) for row in rows.nonzero().reshape(-1)[:ROWS_LISTED]]
