"""The native kernel: one pass over the memory of a tensor, in C.

It has the interface of the plain-torch kernel. What it cannot read (accelerators, sparse and complex tensors, views
with flipped sign, subclasses of tensors) it leaves to that one.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import Parameter
from torch.utils import dlpack

from stetho.stats import _native, copies, histogram, torch_kernel
from stetho.stats.summary import Row, Summary
from stetho.stats.torch_kernel import Pending

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
)
"""How tensors come in: `exchange`, torch's table of C functions, or `capsule`, which every torch has."""

measure = _native.measure
hold = _native.measure  # so fast that a copy for later would cost more
measure_all = _native.measure_all
fetch = torch_kernel.fetch


def log2_histogram(tensor: Tensor) -> Tensor:
    """Like that of `stetho.stats.histogram`; a large tensor is sampled in the order of its memory."""
    counts = _native.histogram(tensor, histogram.SAMPLE)
    return histogram.log2_histogram(tensor) if counts is None else torch.frombuffer(counts, dtype=torch.int32)


def table(rows: Sequence[Row]) -> npt.NDArray[np.float64]:
    """Like that of the plain-torch kernel."""
    return np.frombuffer(_native.rows(rows), np.float64).reshape(len(rows), -1)


class Copies:
    """Like that of `stetho.stats.copies`, in one buffer that is used again."""

    def __init__(self, most: int) -> None:
        self._ours = _native.Copies(most)
        self._others = copies.Copies(most)
        self._places: list[int] = []

    def keep(self, tensors: Sequence[Tensor]) -> None:
        """Copy these, in place of those before."""
        self._places = [place for place, kept in enumerate(self._ours.keep(tensors)) if not kept]
        self._others.keep([tensors[place] for place in self._places])

    def changes(self, tensors: Sequence[Tensor]) -> list[Pending | None]:
        """The measured differences; None for a tensor that has another form by now."""
        changes: list[Pending | None] = list(self._ours.changes(tensors))
        if self._places:
            others = self._others.changes([tensors[place] for place in self._places])
            for place, change in zip(self._places, others, strict=True):
                changes[place] = change
        return changes

    def clear(self) -> None:
        """Keep nothing."""
        self._places = []
        self._ours.keep(())
        self._others.clear()
