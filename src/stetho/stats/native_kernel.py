"""The native kernel: one pass over the memory of a tensor, in C.

It has the interface of the plain-torch kernel. What it cannot read (accelerators, sparse and complex tensors, views
with flipped sign, subclasses of tensors) it leaves to that one.
"""

from collections import OrderedDict
from typing import Self

import torch
from torch import Tensor
from torch.nn import Parameter
from torch.utils import dlpack

from stetho.stats import _native, histogram, torch_kernel, update_rows
from stetho.stats.summary import Summary

WAY = _native.configure(
    types=(Tensor, Parameter),
    is_negated=Tensor.is_neg,
    detached=Tensor.detach,
    exported=dlpack.to_dlpack,  # type: ignore[attr-defined]
    has_modes=torch._C._is_torch_function_mode_enabled,
    pause=torch._C.DisableTorchFunction,
    exchange=getattr(Tensor, "__dlpack_c_exchange_api__", None),
    summary=Summary,
    otherwise=torch_kernel.measure,
    hooks=OrderedDict,
    strided=torch.strided,
)
"""How tensors come in: `exchange`, torch's table of C functions, or `capsule`, which every torch has."""

measure = _native.measure
hold = _native.measure  # so fast that a copy for later would cost more
measure_all = _native.measure_all
sum_of_squares = _native.sum_of_squares
gradient_power = _native.gradient_power
Sightings = _native.Sightings
LayerCalls = _native.LayerCalls
fetch = torch_kernel.fetch


def log2_histogram(tensor: Tensor) -> Tensor:
    """Like that of `stetho.stats.histogram`; a large tensor is sampled in the order of its memory."""
    counts = _native.histogram(tensor, histogram.SAMPLE)
    return histogram.log2_histogram(tensor) if counts is None else torch.frombuffer(counts, dtype=torch.int32)


class UpdateRows(_native.UpdateRows):
    """Like that of `stetho.stats.update_rows`, which measures what cannot be read here; one buffer is used again."""

    def __new__(cls, most: int) -> Self:
        """For copies of so many elements at most."""
        return super().__new__(cls, most, update_rows.UpdateRows(most))
