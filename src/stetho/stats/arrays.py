"""The memory of a tensor as numpy sees it."""

from typing import Any

import numpy as np
import numpy.typing as npt
from torch import Tensor
from torch.utils.dlpack import to_dlpack  # type: ignore[attr-defined]

ON_CPU = (1, 0)


class _Memory:
    """What numpy asks for when it is to look at memory that is not its own."""

    __slots__ = ("_capsule",)

    def __init__(self, tensor: Tensor) -> None:
        self._capsule = to_dlpack(tensor)

    def __dlpack__(self, **_: object) -> Any:
        return self._capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return ON_CPU


def array_of(tensor: Tensor) -> npt.NDArray[Any]:
    """An array that shares the memory of a tensor where it lies on the CPU, only to be read; of others, a copy of it.

    Not by `Tensor.numpy`: that forbids the program to resize the storage ever after, as sharded training does. Types
    that numpy lacks are a `RuntimeError`.

    >>> import torch
    >>> array_of(torch.tensor([1.0, 2.0], requires_grad=True)).tolist()
    [1.0, 2.0]
    """
    plain = tensor.detach() if tensor.requires_grad else tensor
    if not plain.is_cpu:
        plain = plain.cpu()
    if plain.is_neg() or plain.is_conj() or plain._is_zerotensor():
        plain = plain.resolve_neg().resolve_conj().clone()  # else the memory says something else than the tensor
    return np.from_dlpack(_Memory(plain))
