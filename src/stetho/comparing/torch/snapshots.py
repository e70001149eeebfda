"""Values of tensors as plain arrays that stay what they were, whatever happens to the tensors."""

import numpy as np
import torch
from torch import Tensor

from stetho.comparing.models.trace import Array, Site

MOST_AROUND = 4
"""A storage is copied as a whole for a tensor that is at least this share of it."""
SMALL = 1 << 14
"""Smaller storages are copied at once: functions change statistics and counters without a word."""


class Snapshots:
    """Gives sites the values of their tensors, in the tensors' own memory until somebody writes there.

    Who writes says so before. With `copies`, all is copied: one copy for all views of a tensor. The tensors have to
    stay alive as long as it is used: it knows them by their place in memory.

    >>> snapshots, tensor = Snapshots(copies=True), torch.zeros(2, 3)
    >>> before, turned = snapshots.of(tensor), snapshots.of(tensor.T)
    >>> np.shares_memory(before, turned), tensor.add_(1).sum().item(), before.sum().item()
    (True, 6.0, 0.0)
    """

    def __init__(self, *, copies: bool = False) -> None:
        self._copies: dict[tuple[int, int, torch.dtype], Array] = {}
        self._has_copies = copies
        self._lent: dict[int, list[tuple[Site, Tensor, int]]] = {}
        self._written: set[int] = set()

    def put(self, site: Site, tensor: Tensor) -> None:
        """Give a site the values that a tensor has now."""
        site.value, place = self._taken(tensor)
        if place is not None:
            self._lent.setdefault(place, []).append((site, tensor, tensor._version))

    def before_write(self, tensor: Tensor) -> None:
        """Somebody is about to write to a tensor: what lies in its memory is copied."""
        place = tensor.untyped_storage().data_ptr()
        self._written.add(place)
        for site, _, _ in self._lent.pop(place, ()):
            site.value = np.array(site.value)

    @property
    def is_too_late(self) -> bool:
        """Whether somebody wrote without a word, so that values are lost."""
        return any(tensor._version != version for lent in self._lent.values() for _, tensor, version in lent)

    def of(self, tensor: Tensor) -> Array:
        """The values that a tensor has now."""
        return self._taken(tensor)[0]

    def _taken(self, tensor: Tensor) -> tuple[Array, int | None]:
        """The values, and where they lie if that is the tensor's own memory."""
        if not _is_plain(tensor):
            return array_of(tensor), None
        storage = tensor.untyped_storage()
        if self._has_copies:
            return self._copied(tensor, storage), None
        view, place = tensor.detach().numpy(), storage.data_ptr()
        if storage.nbytes() <= SMALL:
            return np.array(view), None
        return (self._copied(tensor, storage), None) if place in self._written else (view, place)

    def _copied(self, tensor: Tensor, storage: torch.UntypedStorage) -> Array:
        with torch._C.DisableTorchFunction(), torch.no_grad():
            size = storage.nbytes()
            key = (storage.data_ptr(), tensor._version, tensor.dtype)
            if key not in self._copies:
                if size > MOST_AROUND * tensor.nbytes:
                    return array_of(tensor)
                whole = torch.as_strided(tensor.detach(), (size // tensor.itemsize,), (1,), 0)
                self._copies[key] = np.array(whole.numpy())
            strides = [step * tensor.itemsize for step in tensor.stride()]
            begin = self._copies[key][tensor.storage_offset() :]
            return np.lib.stride_tricks.as_strided(begin, tensor.shape, strides, writeable=False)


def _is_plain(tensor: Tensor) -> bool:
    """Whether numpy can look at the memory of a tensor as it is."""
    if type(tensor) not in (Tensor, torch.nn.Parameter) or tensor.layout != torch.strided:
        return False
    if tensor.device.type != "cpu" or tensor.is_quantized or tensor.dtype in (torch.bfloat16, torch.float16):
        return False
    return tensor.numel() > 0 and not tensor.is_conj() and not tensor.is_neg()


def array_of(tensor: Tensor, *, copy: bool = True) -> Array:
    """A tensor as numbers, wherever it lies and whatever its type; without `copy`, in the tensor's own memory."""
    with torch._C.DisableTorchFunction(), torch.no_grad():
        plain = tensor.detach()
        if _is_plain(plain):
            return np.array(plain.numpy()) if copy else plain.numpy()
        plain = plain.to_dense() if plain.is_sparse else plain
        plain = plain.dequantize() if plain.is_quantized else plain
        if plain.dtype in (torch.bfloat16, torch.float16):
            plain = plain.float()
        found = plain.cpu().resolve_conj().resolve_neg().numpy()
        return np.array(found) if copy else found
