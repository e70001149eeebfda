"""The native kernel: one pass over the memory of a tensor, in C.

It has the interface of the plain-torch kernel. What it cannot read (accelerators, sparse and complex tensors, views
with flipped sign, subclasses of tensors) it leaves to that one.
"""

from collections import OrderedDict
from collections.abc import Sequence

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


class UpdateRows:
    """Like that of `stetho.stats.update_rows`: one call of ours for all tensors, and one buffer that is used again."""

    def __init__(self, most: int) -> None:
        self._copies = _native.Copies(most)
        self._others = update_rows.UpdateRows(most)
        self._rows: list[bytearray] = []
        self._is_mixed = False

    def before(self, series: Sequence[int], tensors: Sequence[Tensor]) -> float | None:
        """Measure the parameters, and copy them or a sample of them. Gives their sum of squares where it is known."""
        rows, unread, power = self._copies.keep_rows(series, tensors)
        self._rows.append(rows)
        if unread:
            self._is_mixed = True
            self._others.before(*_at(unread, series, tensors))
            return None
        return power

    def add(self, series: Sequence[int], tensors: Sequence[Tensor]) -> float | None:
        """Measure other tensors. Gives their sum of squares where it is known at once."""
        rows, unread, power = _native.measure_rows(series, tensors)
        self._rows.append(rows)
        if unread:
            self._is_mixed = True
            self._others.add(*_at(unread, series, tensors))
            return None
        return power

    def changes(self, series: Sequence[int], tensors: Sequence[Tensor]) -> None:
        """Measure the parameters less their copies; one that has another form by now is left out."""
        rows, unread, _ = self._copies.change_rows(series, tensors)
        self._rows.append(rows)
        if unread:
            self._others.changes(*_at(unread, series, tensors))

    def take(self) -> bytes:
        """All rows so far, finished; nothing is kept."""
        rows = b"".join(self._rows)
        if self._is_mixed:
            rows += self._others.take()
        self.clear()
        return rows

    def clear(self) -> None:
        """Forget an update that never came to its end."""
        self._rows = []
        self._copies.clear()
        if self._is_mixed:
            self._is_mixed = False
            self._others.clear()


def _at(places: Sequence[int], series: Sequence[int], tensors: Sequence[Tensor]) -> tuple[list[int], list[Tensor]]:
    return [series[place] for place in places], [tensors[place] for place in places]
