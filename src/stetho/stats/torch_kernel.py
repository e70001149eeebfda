"""The plain-torch kernel: tensors in, summaries out, without one read-back per tensor on an accelerator.

On the CPU reading a number costs nothing, so a summary is finished at once, and the slow exact path is taken only when
a sum is not finite or when rounding would eat the deviation. Elsewhere the numbers stay on the device until `fetch`
brings all of them over together.
"""

from collections.abc import Iterable, Sequence
from math import inf
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from stetho.stats.arrays import array_of
from stetho.stats.columns import Columns, columns_of_summaries
from stetho.stats.exact import exact
from stetho.stats.pieces import Values, columns_of_pieces, summaries_of
from stetho.stats.summary import EMPTY, Summary, from_sums

Pending = Summary | Tensor | Values
"""A finished summary, eight numbers that still lie on a device, or a copy of few values that is measured later."""

SMALL = 16_384
"""A tensor of up to so many elements is worth a copy that is measured later."""

PART = 1 << 17
"""Elements that are looked at together: five looks at what lies in the cache cost hardly more than one at memory."""

_FLOATS = (torch.float32, torch.float64)
_USUAL, _STRIDED = torch.float32, torch.strided
_smallest, _largest = np.minimum.reduce, np.maximum.reduce


def measure(tensor: Tensor) -> Pending:
    """Measure one tensor of any real or complex dtype, layout and stride.

    >>> measure(torch.tensor([0.0, 1.0, 2.0])).mean
    1.0
    """
    flat = _flat(tensor)
    if flat.numel() == 0:
        return EMPTY
    return _in_memory(flat, array_of(flat)) if flat.is_cpu else _on_device(flat)


def measure_values(values: Values) -> Summary:
    """The same of a flat array.

    >>> measure_values(np.ones(3, np.float32)).elements
    3
    """
    return _in_memory(torch.from_numpy(values), values) if len(values) else EMPTY


def hold(tensor: Tensor) -> Pending:
    """Like `measure`, but a small tensor is only copied: `fetch` measures all copies together, which is much cheaper.

    >>> fetch([hold(torch.tensor([0.0, 4.0])), hold(torch.ones(3))])[0].mean
    2.0
    """
    if 0 < tensor.numel() <= SMALL:
        values = values_of(tensor)
        if values is not None:
            return values.flatten()
    return measure(tensor)


def values_of(tensor: Tensor) -> Values | None:
    """The memory of a tensor that is on the CPU, of the usual type and in one piece, with its own shape; else None."""
    if tensor.is_cpu and tensor.dtype is _USUAL and tensor.layout is _STRIDED and tensor.is_contiguous():
        return array_of(tensor)
    return None


def measure_all(tensors: Iterable[Tensor]) -> list[Pending]:
    """Each of many tensors, finished by `fetch`.

    >>> [summary.mean for summary in fetch(measure_all([torch.zeros(2), torch.ones(3)]))]
    [0.0, 1.0]
    """
    return [hold(tensor) for tensor in tensors]


def columns_of(pending: Sequence[Pending]) -> tuple[list[int], Columns]:
    """The same as `fetch` gives, side by side, in the order that takes least time: the places, and the columns.

    >>> places, columns = columns_of([measure(torch.ones(3)), hold(torch.tensor([0.0, 4.0]))])
    >>> places, columns[0].tolist()
    ([1, 0], [2.0, 3.0])
    """
    copied = [place for place, item in enumerate(pending) if isinstance(item, np.ndarray)]
    columns = columns_of_pieces([pending[place] for place in copied])  # type: ignore[misc]  # these are copies
    if len(copied) == len(pending):
        return copied, columns
    others = [place for place, item in enumerate(pending) if not isinstance(item, np.ndarray)]
    rest = columns_of_summaries(fetch([pending[place] for place in others]))
    return copied + others, np.concatenate([columns, rest], axis=1)


def fetch(pending: list[Pending]) -> list[Summary]:
    """Finish what was only copied, and what is still on a device, with one transfer for each device.

    >>> fetch([measure(torch.ones(3))])[0].elements
    3
    """
    waiting: dict[torch.device, list[int]] = {}
    copied: list[int] = []
    for index, item in enumerate(pending):
        if isinstance(item, np.ndarray):
            copied.append(index)
        elif isinstance(item, Tensor):
            waiting.setdefault(item.device, []).append(index)
    done: list[Any] = pending
    if copied:
        for place, summary in zip(copied, summaries_of([done[place] for place in copied]), strict=True):
            done[place] = summary
    for places in waiting.values():
        rows = torch.stack([done[place] for place in places]).tolist()
        for place, (count, nans, infs, zeros, low, high, mean, squares) in zip(places, rows, strict=True):
            done[place] = Summary(int(count), int(nans), int(infs), int(zeros), low, high, mean, squares)
    return done


def _in_memory(flat: Tensor, values: npt.NDArray[Any]) -> Summary:
    """The same memory twice, as each of the two libraries wants it."""
    count = len(values)
    zeros, low, high, total, power = 0, inf, -inf, 0.0, 0.0
    with np.errstate(all="ignore"):  # a warning would be the program's
        for begin in range(0, count, PART):
            if count > PART:
                part, same = values[begin : begin + PART], flat[begin : begin + PART]
            else:
                part, same = values, flat
            # What waits least for the memory reads it first; the others find it in the cache.
            total += same.sum().item()  # four times faster than numpy's
            power += float(part.dot(part))
            low, high = min(low, float(_smallest(part))), max(high, float(_largest(part)))  # twice as fast as torch's
            zeros += int(np.count_nonzero(part == 0))  # five times faster than torch's; -0.0 is a zero for both
        sums = from_sums(count, zeros, low, high, total, power)
        return sums if sums is not None else exact(values, zeros)


def _flat(tensor: Tensor) -> Tensor:
    flat = tensor.detach()
    if flat.layout is not torch.strided:
        flat = flat.coalesce().values() if flat.layout is torch.sparse_coo else flat.values()
    if flat.is_complex():
        flat = torch.view_as_real(flat.resolve_conj())
    if flat.is_neg():
        flat = flat.resolve_neg()
    if flat._is_zerotensor():  # autograd's zeros that were never stored
        flat = flat.clone()
    if flat.dtype not in _FLOATS:
        flat = flat.to(torch.float32 if flat.is_floating_point() else torch.float64)
    return flat.view(-1) if flat.is_contiguous() else flat.reshape(-1)


def _on_device(flat: Tensor) -> Tensor:
    finite = torch.isfinite(flat)
    # Without a sync we cannot branch, so non-finite values are masked out always; an accelerator has the bandwidth.
    safe = torch.where(finite, flat, 0.0)
    kept = finite.sum()
    nans = torch.isnan(flat).sum()
    mean = safe.sum(dtype=torch.float64) / kept
    # A square would overflow in 32 bits; the norm is added up in 64 without a wide copy.
    squares = torch.linalg.vector_norm(torch.where(finite, flat - mean, 0.0), dtype=torch.float64).square()
    low = torch.where(finite, flat, float("inf")).amin()
    high = torch.where(finite, flat, float("-inf")).amax()
    numbers = (
        torch.full_like(mean, flat.numel()),
        nans,
        flat.numel() - kept - nans,
        kept - torch.count_nonzero(safe),
        low,
        high,
        mean,
        squares,
    )
    return torch.stack([number.double() for number in numbers])
