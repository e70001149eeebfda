"""Tensors of any kind as numpy arrays."""

from typing import Any, TypeGuard

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

KNOWN_TO_NUMPY = frozenset(
    (
        torch.bool,
        torch.uint8,
        torch.int8,
        torch.int16,
        torch.int32,
        torch.int64,
        torch.uint16,
        torch.uint32,
        torch.uint64,
        torch.float16,
        torch.float32,
        torch.float64,
    )
)


def is_tensor(value: Any) -> TypeGuard[Tensor]:
    """Whether a value is a tensor.

    >>> is_tensor(torch.ones(1)), is_tensor([1.0])
    (True, False)
    """
    return isinstance(value, Tensor)


def tensor_array(tensor: Tensor) -> NDArray[Any] | None:
    """The numbers of a tensor on any device, of any layout and type; None for one without data.

    >>> tensor_array(torch.ones(2, dtype=torch.bfloat16)).tolist(), tensor_array(torch.empty(2, device="meta"))
    ([1.0, 1.0], None)
    """
    is_dense = tensor.layout is torch.strided and not tensor.is_nested
    if type(tensor) is Tensor and tensor.dtype in KNOWN_TO_NUMPY and tensor.is_cpu and is_dense:
        # Nearly all of them; asking for more takes longer than the reading.
        return np.asarray((tensor.detach() if tensor.requires_grad else tensor).resolve_neg().numpy())
    if tensor.device.type == "meta":
        return None
    with torch.no_grad():
        plain = tensor.detach()
        if plain.is_nested:
            parts = [part.reshape(-1) for part in plain.unbind()]
            plain = torch.cat(parts) if parts else torch.empty(0)
        elif plain.layout is not torch.strided:
            plain = plain.to_dense()
        if plain.is_quantized:
            plain = plain.dequantize()
        if plain.is_complex():
            plain = torch.view_as_real(plain.resolve_conj())
        if plain.dtype not in KNOWN_TO_NUMPY:
            plain = plain.float()
        # A subclass of tensor may answer `numpy` in its own way.
        return np.asarray(plain.as_subclass(Tensor).cpu().resolve_neg().numpy())
