"""Values of tensors as plain arrays that stay what they were, whatever happens to the tensors."""

import numpy as np
import torch
from torch import Tensor

from stetho.comparing.models.trace import Array

MOST_AROUND = 4
"""A storage is copied as a whole for a tensor that is at least this share of it."""


class Snapshots:
    """Keeps one copy for all views of a tensor, until somebody writes to it.

    The tensors have to stay alive as long as it is used: it knows them by their place in memory.

    >>> snapshots, tensor = Snapshots(), torch.zeros(2, 3)
    >>> before, turned = snapshots.of(tensor), snapshots.of(tensor.T)
    >>> np.shares_memory(before, turned), tensor.add_(1).sum().item(), before.sum().item()
    (True, 6.0, 0.0)
    """

    def __init__(self) -> None:
        self._copies: dict[tuple[int, int, torch.dtype], Array] = {}

    def of(self, tensor: Tensor) -> Array:
        """The values that a tensor has now."""
        if type(tensor) not in (Tensor, torch.nn.Parameter) or tensor.layout != torch.strided or not _is_plain(tensor):
            return array_of(tensor)
        with torch._C.DisableTorchFunction(), torch.no_grad():
            key = (tensor.untyped_storage().data_ptr(), tensor._version, tensor.dtype)
            if key not in self._copies:
                size = tensor.untyped_storage().nbytes()
                if size > MOST_AROUND * tensor.nbytes:
                    return array_of(tensor)
                whole = torch.as_strided(tensor.detach(), (size // tensor.itemsize,), (1,), 0)
                self._copies[key] = np.array(whole.numpy())
            copy, size = self._copies[key], tensor.itemsize
            strides = [step * size for step in tensor.stride()]
            begin = copy[tensor.storage_offset() :]
            return np.lib.stride_tricks.as_strided(begin, tensor.shape, strides, writeable=False)


def _is_plain(tensor: Tensor) -> bool:
    """Whether numpy can look at the memory of a tensor as it is."""
    if tensor.device.type != "cpu" or tensor.is_quantized or tensor.dtype in (torch.bfloat16, torch.float16):
        return False
    return tensor.numel() > 0 and not tensor.is_conj() and not tensor.is_neg()


def array_of(tensor: Tensor, *, copy: bool = True) -> Array:
    """A tensor as numbers, wherever it lies and whatever its type; without `copy`, in the tensor's own memory."""
    with torch._C.DisableTorchFunction(), torch.no_grad():
        plain = tensor.detach()
        plain = plain.to_dense() if plain.is_sparse else plain
        plain = plain.dequantize() if plain.is_quantized else plain
        if plain.dtype in (torch.bfloat16, torch.float16):
            plain = plain.float()
        found = plain.cpu().resolve_conj().resolve_neg().numpy()
        return np.array(found) if copy else found
