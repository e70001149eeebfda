"""The tensors inside whatever a module takes or returns: tuples, dicts, dataclasses, model outputs."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass

from torch import Tensor
from torch.nn import Parameter

DEEPEST = 6
_PLAIN = (Tensor, Parameter)


def tensor_leaves(value: object, path: str = "", depth: int = 0) -> Iterator[tuple[str, Tensor]]:
    """Every plain tensor in a value, with the path to it ('' for a lone tensor).

    Subclasses of Tensor (fake, distributed, quantised) are left out: an operation on them may not be what it seems.

    >>> import torch
    >>> [path for path, _ in tensor_leaves({"logits": torch.zeros(1), "past": (torch.ones(1), None)})]
    ['[logits]', '[past][0]']
    """
    if isinstance(value, Tensor):
        if type(value) in _PLAIN:
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
        if type(value) is tuple and value and type(value[0]) is Tensor:
            return value[0]
        for _, tensor in tensor_leaves(value):
            return tensor
    return None
