"""Copies of tensors, or of a regular sample of large ones, and what has changed in them since.

A sample is made of runs: whole lines of the cache are read, and what lies between them is not.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

RUN = 64
"""Elements side by side in a sample."""


class Copies:
    """Keeps tensors as they are now, and compares them with what they are later.

    >>> tensor = torch.zeros(3)
    >>> copies = Copies(most=1000)
    >>> copies.keep([tensor])
    >>> copies.differences([tensor.add_(2.0)])
    [tensor([2., 2., 2.])]
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: list[Tensor] = []

    def keep(self, tensors: Sequence[Tensor]) -> None:
        """Copy these, in place of those before."""
        self._kept = [_own(self._sample(tensor), tensor) for tensor in tensors]

    def differences(self, tensors: Sequence[Tensor]) -> list[Tensor | None]:
        """Each tensor less its copy; None when it has another form by now."""
        pairs = zip(tensors, self._kept, strict=True)
        return [_difference(self._sample(tensor), kept) for tensor, kept in pairs]

    def clear(self) -> None:
        """Keep nothing."""
        self._kept = []

    def _sample(self, tensor: Tensor) -> Tensor:
        flat = tensor.detach()
        flat = flat.view(-1) if flat.is_contiguous() else flat.reshape(-1)
        return flat if flat.numel() <= self._most else _runs(flat, -(-flat.numel() // self._most))


def _runs(flat: Tensor, step: int) -> Tensor:
    """The first of every `step` runs, the last of which may be cut short."""
    group = RUN * step
    whole = flat.unfold(0, RUN, group)
    rest = flat[len(whole) * group :][:RUN]
    return torch.cat([whole.reshape(-1), rest]) if len(rest) else whole.reshape(-1)


def _own(sample: Tensor, tensor: Tensor) -> Tensor:
    """A sample that does not change with what it was taken from: a sample of runs is a copy already."""
    return sample if sample.numel() < tensor.numel() else sample.clone()


def _difference(now: Tensor, before: Tensor) -> Tensor | None:
    is_same = now.shape == before.shape and now.dtype == before.dtype and now.device == before.device
    return torch.sub(now, before) if is_same else None
