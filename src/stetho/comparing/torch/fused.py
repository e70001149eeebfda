"""Functions that others write as a few lines, in these lines: for a closer look at where two implementations part."""

from collections.abc import Callable, Sequence
from math import prod, sqrt
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

Sizes = Sequence[int] | int


def linear(given: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """A product, then a sum."""
    product = given @ weight.t()
    return product if bias is None else product + bias


def layer_norm(
    given: Tensor,
    normalized_shape: Sequence[int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Mean and variance over the last axes."""
    axes = tuple(range(-len(normalized_shape), 0))
    normal = _normalised(given, given.mean(axes, keepdim=True), given.var(axes, correction=0, keepdim=True), eps)
    return _scaled(normal, weight, bias)


def rms_norm(
    given: Tensor, normalized_shape: Sequence[int], weight: Tensor | None = None, eps: float | None = None
) -> Tensor:
    """The mean square over the last axes."""
    square = given.pow(2).mean(tuple(range(-len(normalized_shape), 0)), keepdim=True)
    normal = given * torch.rsqrt(square + (torch.finfo(given.dtype).eps if eps is None else eps))
    return normal if weight is None else normal * weight


def group_norm(
    given: Tensor, num_groups: int, weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-5
) -> Tensor:
    """Mean and variance over groups of channels."""
    groups = given.reshape(len(given), num_groups, -1)
    mean, variance = groups.mean(-1, keepdim=True), groups.var(-1, correction=0, keepdim=True)
    return _scaled(_normalised(groups, mean, variance, eps).reshape(given.shape), *_per_channel(given, weight, bias))


def instance_norm(
    given: Tensor,
    running_mean: Tensor | None = None,
    running_var: Tensor | None = None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Mean and variance of each channel of each sample, or as they were learned."""
    if not use_input_stats and running_mean is not None and running_var is not None:
        return batch_norm(given, running_mean, running_var, weight, bias, momentum=momentum, eps=eps)
    axes = tuple(range(2, given.dim()))
    mean, variance = given.mean(axes, keepdim=True), given.var(axes, correction=0, keepdim=True)
    return _scaled(_normalised(given, mean, variance, eps), *_per_channel(given, weight, bias))


def batch_norm(
    given: Tensor,
    running_mean: Tensor,
    running_var: Tensor,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Mean and variance as they were learned."""
    del training, momentum
    mean, variance = _per_channel(given, running_mean, running_var)
    return _scaled(_normalised(given, mean, variance, eps), *_per_channel(given, weight, bias))


def gelu(given: Tensor, *, approximate: str = "none") -> Tensor:
    """By the error function, or by tanh."""
    if approximate == "tanh":
        inner = sqrt(2 / torch.pi) * (given + 0.044715 * given.pow(3))
        return 0.5 * given * (1 + torch.tanh(inner))
    return given * (0.5 * (1 + torch.erf(given / sqrt(2))))


def silu(given: Tensor, inplace: bool = False) -> Tensor:
    """A product with its own sigmoid."""
    del inplace
    return given * torch.sigmoid(given)


def convolution(
    given: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Sizes = 1,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    groups: int = 1,
) -> Tensor:
    """Zeros around, windows as columns, a product for each group, a sum. In one or two dimensions."""
    kernel = tuple(weight.shape[2:])
    stride, padding, dilation = (_of_each(each, len(kernel)) for each in (stride, padding, dilation))
    if any(padding):
        given = functional.pad(given, [size for each in reversed(padding) for size in (each, each)])
    sizes = [
        (size - spread * (width - 1) - 1) // step + 1
        for size, width, step, spread in zip(given.shape[2:], kernel, stride, dilation, strict=True)
    ]
    if len(kernel) == 1:
        given, kernel, stride, dilation = given.unsqueeze(-2), (1, *kernel), (1, *stride), (1, *dilation)
    columns = functional.unfold(given, kernel, dilation, 0, stride)
    rows = weight.reshape(groups, -1, prod(weight.shape[1:]))
    product = rows @ columns.reshape(len(given), groups, -1, prod(sizes))
    return _scaled(product.reshape(len(given), len(weight), *sizes), None, _per_channel(weight, bias)[0])


STEPS: dict[str, Callable[..., Tensor]] = {
    "linear": linear, "layer_norm": layer_norm, "rms_norm": rms_norm, "group_norm": group_norm,
    "instance_norm": instance_norm, "batch_norm": batch_norm, "gelu": gelu, "silu": silu, "conv1d": convolution,
    "conv2d": convolution,
}  # fmt: skip


def in_steps(name: str, args: Sequence[Any], kwargs: dict[str, Any]) -> Callable[[], Any] | None:
    """The function of this name in small steps; None for one that has none, or not for these arguments.

    >>> in_steps("silu", (torch.zeros(1),), {})()
    tensor([0.])
    """
    named = {"given" if key == "input" else key: value for key, value in kwargs.items()}
    if name not in STEPS or any(isinstance(each, str) for each in (*args, kwargs.get("padding"))):
        return None
    if name == "batch_norm" and (kwargs.get("training") or (len(args) > 5 and args[5])):
        return None
    if name.startswith("conv") and args and args[0].dim() != args[1].dim():
        return None
    return lambda: STEPS[name](*args, **named)


def _normalised(given: Tensor, mean: Tensor, variance: Tensor, eps: float) -> Tensor:
    return (given - mean) / torch.sqrt(variance + eps)


def _scaled(given: Tensor, weight: Tensor | None, bias: Tensor | None) -> Tensor:
    given = given if weight is None else given * weight
    return given if bias is None else given + bias


def _per_channel(given: Tensor, *values: Tensor | None) -> tuple[Any, ...]:
    shape = (-1, *[1] * (given.dim() - 2))
    return tuple(None if each is None else each.view(shape) for each in values)


def _of_each(size: Sizes, count: int) -> tuple[int, ...]:
    return (size,) * count if isinstance(size, int) else tuple(size) * (count // len(size))
