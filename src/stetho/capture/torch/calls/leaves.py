"""The tensors inside whatever a module takes or returns: tuples, dicts, dataclasses, model outputs."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import TypeGuard

import torch
from torch import Tensor
from torch.nn import Parameter

DEEPEST = 6
_PLAIN = (Tensor, Parameter)
_LAYOUTS = (torch.strided, torch.sparse_coo, torch.sparse_csr, torch.sparse_csc, torch.sparse_bsr, torch.sparse_bsc)


def is_plain(value: object) -> TypeGuard[Tensor]:
    """Whether a value is a tensor with values of its own that can be read.

    Subclasses of Tensor (fake, distributed, quantised) are left out: an operation on them may not be what it seems.
    So are tensors without values (meta), of ragged shape (nested), and in the layouts of a backend.

    >>> is_plain(torch.zeros(1)), is_plain(torch.zeros(1, device="meta")), is_plain(1.0)
    (True, False, False)
    """
    return type(value) in _PLAIN and value.layout in _LAYOUTS and not value.is_meta and not value.is_nested  # type: ignore[attr-defined]


def tensor_leaves(value: object, path: str = "", depth: int = 0) -> Iterator[tuple[str, Tensor]]:
    """Every plain tensor in a value, with the path to it ('' for a lone tensor).

    >>> [path for path, _ in tensor_leaves({"logits": torch.zeros(1), "past": (torch.ones(1), None)})]
    ['[logits]', '[past][0]']
    """
    if isinstance(value, Tensor):
        if is_plain(value):
            yield path, value
    elif depth >= DEEPEST or value is None or isinstance(value, (str, bytes, int, float)):
        return
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from tensor_leaves(item, f"{path}[{key}]", depth + 1)
    elif isinstance(value, (tuple, list)):
        names = getattr(value, "_fields", None) or range(len(value))
        for key, item in zip(names, value, strict=False):
            yield from tensor_leaves(item, f"{path}[{key}]", depth + 1)
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from tensor_leaves(getattr(value, field.name, None), f"{path}[{field.name}]", depth + 1)


def first_tensor(*values: object) -> Tensor | None:
    """The first tensor in the values, by their order."""
    for value in values:
        if type(value) is tuple and value and is_plain(value[0]):
            return value[0]
        for _, tensor in tensor_leaves(value):
            return tensor
    return None
