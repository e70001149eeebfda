"""The parts of a model as they stand, called or not: classes, settings, parameters."""

from torch import Tensor
from torch.nn import Module
from torch.nn.parameter import is_lazy

from stetho.inspect.structure import Part, Weight
from stetho.inspect.torch.models import named_parts


def parts_of(model: Module) -> list[Part]:
    """Every part of a model, each once, by its first name.

    >>> import torch
    >>> [(part.name, part.kind, part.own) for part in parts_of(torch.nn.Sequential(torch.nn.Linear(2, 3)))]
    [('', 'Sequential', 0), ('0', 'Linear', 9)]
    """
    return [
        Part(
            name,
            type(module).__name__,
            _settings(module),
            tuple([_weight(key, tensor) for key, tensor in weights.items() if tensor is not None]) if weights else (),
            sum([_bytes(tensor) for tensor in buffers.values() if tensor is not None]) if buffers else 0,
            module.training,
        )
        for name, module in named_parts(model)
        for weights, buffers in [(module._parameters, module._buffers)]
    ]


def _weight(name: str, tensor: Tensor) -> Weight:
    if is_lazy(tensor):
        return Weight(id(tensor), name, (), 0, 0, tensor.requires_grad)
    size = tensor.numel()
    return Weight(id(tensor), name, tuple(tensor.shape), size, size * tensor.element_size(), tensor.requires_grad)


def _bytes(tensor: Tensor) -> int:
    return 0 if is_lazy(tensor) else tensor.numel() * tensor.element_size()


def _settings(module: Module) -> str:
    """What a module says of itself; somebody else's code, so it may fail."""
    try:
        return str(module.extra_repr())
    except Exception:
        return ""
