"""Tensors and modules in one line. Reads values where that is safe and cheap; never runs code of the user's."""

import torch
from torch import Tensor
from torch.nn import Module, Parameter
from torch.nn.parameter import is_lazy

from stetho.stats.kernel import fetch, measure
from stetho.stats.summary import Summary
from stetho.stats.tensor_text import MOST_VALUES, tensor_text

LARGEST = 1 << 24
"""Tensors above this are not looked into: the line must not take long, nor memory."""


def tensor_line(tensor: Tensor) -> str:
    """Type, shape, device and values of a tensor.

    >>> tensor_line(torch.tensor([1.0, 2.0])), tensor_line(torch.zeros(3, 4))
    ('float32[2] cpu 1, 2', 'float32[3, 4] cpu min 0 max 0 mean 0 std 0 zeros 100%')
    """
    if is_lazy(tensor):
        return f"{type(tensor).__name__}, not made yet"
    dtype = str(tensor.dtype).removeprefix("torch.")
    summary, values = _looked_at(tensor)
    text = tensor_text(
        dtype,
        list(tensor.shape),
        str(tensor.device),
        requires_grad=tensor.requires_grad,
        summary=summary,
        values=values,
    )
    return text if type(tensor) in (Tensor, Parameter) else f"{type(tensor).__name__} {text}"


def summary_of(tensor: Tensor) -> Summary | None:
    """The summary of a tensor's values; None where they cannot be read safely."""
    if type(tensor) not in (Tensor, Parameter) or tensor.is_meta or not 0 < tensor.numel() <= LARGEST:
        return None
    try:
        measured = measure(tensor)
        return measured if type(measured) is Summary else fetch([measured])[0]
    except Exception:  # quantized, nested, or a device that has failed: the shape must do
        return None


def _looked_at(tensor: Tensor) -> tuple[Summary | None, list[float]]:
    few = 0 < tensor.numel() <= MOST_VALUES and type(tensor) in (Tensor, Parameter) and not tensor.is_meta
    if few and tensor.layout is torch.strided and not tensor.is_quantized:
        try:
            return None, tensor.detach().reshape(-1).tolist()
        except Exception:
            return None, []
    return summary_of(tensor), []


def module_line(module: Module) -> str:
    """Class and size of a module.

    >>> module_line(torch.nn.Linear(2, 3))
    'Linear(in_features=2, out_features=3, bias=True)'
    >>> module_line(torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU()))
    'Sequential of 2 layers, 9 parameters'
    """
    kind = type(module)
    if not module._modules and kind.__module__.startswith("torch.nn"):
        return f"{kind.__name__}({module.extra_repr()})"
    layers = sum(1 for _ in module.modules()) - 1
    count = sum(0 if is_lazy(each) else each.numel() for each in module.parameters())
    return f"{kind.__name__} of {layers} {'layer' if layers == 1 else 'layers'}, {count:,} parameters"


def line_for(value: object) -> str | None:
    """The line of a tensor, a module, or another plain object of torch; None for anything else."""
    try:
        if isinstance(value, Tensor):
            return tensor_line(value)
        if isinstance(value, Module):
            return module_line(value)
        if isinstance(value, torch.Size | torch.dtype | torch.device):
            return str(list(value)) if isinstance(value, torch.Size) else str(value)
        if isinstance(value, torch.optim.Optimizer):
            rates = ", ".join(f"{group.get('lr')!s:.12}" for group in value.param_groups[:3])
            return f"{type(value).__name__}, lr {rates}"
    except Exception:
        return f"<{type(value).__name__}>"
    return None
