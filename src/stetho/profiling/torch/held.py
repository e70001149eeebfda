"""What is held between steps: parameters, their gradients and their optimizers' state, by the layer that owns them."""

from collections.abc import Iterable
from dataclasses import dataclass

from torch import Tensor
from torch.optim import Optimizer

from stetho.capture.torch.models.models import Model
from stetho.profiling.torch.scopes import Scopes


@dataclass(slots=True)
class Sizes:
    """Bytes that belong to a layer, by its number."""

    layer: int
    parameters: int = 0
    gradients: int = 0
    state: int = 0


def held_by(scopes: Scopes, optimizers: Iterable[Optimizer]) -> list[Sizes]:
    """The sizes of every layer that has parameters of its own, as they are now."""
    state = {id(parameter): bytes_in(kept) for one in optimizers for parameter, kept in one.state.items()}
    found: dict[int, Sizes] = {}
    for model in scopes.models.all:
        for weight in model.weights.values():
            parameter = weight.ref()
            number = _owner(scopes, model, weight.name) if parameter is not None else None
            if parameter is None or number is None:
                continue
            sizes = found.setdefault(number, Sizes(number))
            sizes.parameters += bytes_in(parameter)
            sizes.gradients += bytes_in(parameter.grad)
            sizes.state += state.get(id(parameter), 0)
    return list(found.values())


def _owner(scopes: Scopes, model: Model, name: str) -> int | None:
    """The layer that holds a parameter, or the closest one around it that was called."""
    layer = name.rpartition(".")[0]
    while (number := scopes.number_of(model.id, layer)) is None and layer:
        layer = layer.rpartition(".")[0]
    return number


def bytes_in(value: object) -> int:
    """The bytes of all tensors in a value; LBFGS keeps lists of them.

    >>> import torch
    >>> bytes_in({"step": 3, "history": [torch.zeros(2), torch.zeros(1)]})
    12
    """
    if isinstance(value, Tensor):
        return value.numel() * value.element_size()
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return sum(bytes_in(each) for each in inside)
