"""What is a model, and the two facts that its inputs depend on."""

from typing import Any, TypeGuard

import torch
from torch.nn import Module
from torch.nn.parameter import is_lazy


def is_model(value: Any) -> TypeGuard[Module]:
    """Whether a value is a module.

    >>> is_model(torch.nn.ReLU()), is_model(torch.nn.ReLU)
    (True, False)
    """
    return isinstance(value, Module)


def device_of(model: Module) -> torch.device:
    """Where the model lies: where its first parameter or buffer does.

    >>> device_of(torch.nn.ReLU())
    device(type='cpu')
    """
    return next((tensor.device for tensor in (*model.parameters(), *model.buffers())), torch.device("cpu"))


def dtype_of(model: Module) -> torch.dtype:
    """The type of its first parameter of real numbers.

    >>> dtype_of(torch.nn.Linear(1, 1).double())
    torch.float64
    """
    found = (each.dtype for each in model.parameters() if is_lazy(each) or each.is_floating_point())
    return next(found, torch.get_default_dtype())


def named_parts(model: Module) -> list[tuple[str, Module]]:
    """What `named_modules` gives, several times as fast for deep models.

    >>> [name for name, _ in named_parts(torch.nn.Sequential(torch.nn.ReLU(), torch.nn.ReLU()))]
    ['', '0', '1']
    """
    found = [("", model)]
    _add_below(model, "", found, {id(model)})
    return found


def _add_below(part: Module, before: str, found: list[tuple[str, Module]], seen: set[int]) -> None:
    for key, child in part._modules.items():
        if child is not None and id(child) not in seen:
            seen.add(id(child))
            name = before + key
            found.append((name, child))
            if child._modules:
                _add_below(child, name + ".", found, seen)
