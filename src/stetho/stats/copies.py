"""Copies of tensors, or of a regular sample of large ones, and what has changed in them since.

A sample is made of runs: whole lines of the cache are read, and what lies between them is not. What numpy can look at
is copied by numpy, which takes half as long to begin as torch.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from stetho.stats.pieces import Values
from stetho.stats.torch_kernel import values_of

RUN = 64
"""Elements side by side in a sample."""

Copy = Values | Tensor


class Copies:
    """Keeps tensors as they are now, and compares them with what they are later.

    >>> tensor = torch.zeros(3)
    >>> copies = Copies(most=1000)
    >>> copies.keep([tensor])
    [array([0., 0., 0.], dtype=float32)]
    >>> copies.differences([tensor.add_(2.0)])
    [array([2., 2., 2.], dtype=float32)]
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: Sequence[Copy] = ()

    def keep(self, tensors: Sequence[Tensor]) -> Sequence[Copy]:
        """Copy these, in place of those before. The copies must not be changed."""
        self._kept = [self._copy(tensor) for tensor in tensors]
        return self._kept

    def differences(self, tensors: Sequence[Tensor]) -> list[Copy | None]:
        """Each tensor less its copy; None when it has another form by now."""
        with np.errstate(all="ignore"):  # a warning would be the program's
            return [self._difference(tensor, kept) for tensor, kept in zip(tensors, self._kept, strict=True)]

    def clear(self) -> None:
        """Keep nothing."""
        self._kept = ()

    def _copy(self, tensor: Tensor) -> Copy:
        flat = _flat(tensor)
        if _size(flat) > self._most:
            return self._sample(flat)
        return flat.copy() if isinstance(flat, np.ndarray) else flat.clone()

    def _difference(self, tensor: Tensor, before: Copy) -> Copy | None:
        now = _flat(tensor)
        is_sampled = _size(now) > self._most
        if is_sampled:
            now = self._sample(now)
        if isinstance(now, Tensor) or isinstance(before, Tensor):
            now = torch.from_numpy(now.copy()) if isinstance(now, np.ndarray) else now  # it may be only to be read
            before = torch.as_tensor(before)
            is_same = now.shape == before.shape and now.dtype == before.dtype and now.device == before.device
            return torch.sub(now, before) if is_same else None
        if now.size != before.size:
            return None
        return np.subtract(now, before, out=now if is_sampled else None)  # a sample is ours already

    def _sample(self, flat: Copy) -> Copy:
        """The first of every few runs, the last of which may be cut short; never a view."""
        size = _size(flat)
        group = RUN * -(-size // self._most)
        whole = size // group
        rest = flat[whole * group :][:RUN]
        length = whole * RUN + len(rest)
        sample: Any = np.empty(length, np.float32) if isinstance(flat, np.ndarray) else flat.new_empty(length)
        sample[: whole * RUN].reshape(whole, RUN)[:] = flat[: whole * group].reshape(whole, group)[:, :RUN]
        sample[whole * RUN :] = rest
        return sample  # type: ignore[no-any-return]  # made above, of one of the two kinds


def _flat(tensor: Tensor) -> Copy:
    """All elements in a line, without a copy where that can be."""
    values = values_of(tensor)
    if values is not None:
        return values.ravel()
    plain = tensor.detach()
    return plain.view(-1) if plain.is_contiguous() else plain.reshape(-1)


def _size(flat: Copy) -> int:
    return flat.size if isinstance(flat, np.ndarray) else flat.numel()
