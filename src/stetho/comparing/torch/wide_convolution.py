"""Convolutions in double precision: torch has no quick ones there, and unfolds every input into columns.

Of a padded image whose rows lie one after the other, a tap of the kernel takes the same pixels, shifted by a fixed
number of places: the convolution is a sum of products with shifted images, and nothing is unfolded. The same holds for
volumes.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function
from torch.overrides import handle_torch_function, has_torch_function

MOST_PADDING = {2: 1.4, 3: 2.0}
"""Where padding makes images or volumes larger than so many times, unfolding is quicker."""
LEAST_CHANNELS, LEAST_NUMBERS = 8, 12_000
"""Products with fewer channels, or with so few numbers for each image, cost more to start than to do."""
Sizes = Sequence[int] | int


def conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Sizes = 1,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    groups: int = 1,
) -> Tensor:
    """What `torch.conv2d` gives; who looks on at functions sees one of this name.

    >>> image, weight = torch.randn(1, 2, 9, 9).double(), torch.randn(3, 2, 3, 3).double()
    >>> torch.allclose(conv2d(image, weight, padding=1), torch.conv2d(image, weight, padding=1))
    True
    """
    return _seen(conv2d, input, weight, bias, stride, padding, dilation, groups)


def conv3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Sizes = 1,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    groups: int = 1,
) -> Tensor:
    """What `torch.conv3d` gives, as `conv2d` does it.

    >>> volume, weight = torch.randn(1, 2, 4, 5, 6).double(), torch.randn(3, 2, 3, 3, 3).double()
    >>> torch.allclose(conv3d(volume, weight, padding=1), torch.conv3d(volume, weight, padding=1))
    True
    """
    return _seen(conv3d, input, weight, bias, stride, padding, dilation, groups)


QUICK: dict[str, Callable[..., Tensor]] = {"conv2d": conv2d, "conv3d": conv3d}


def quickest(function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """The function to call: for a convolution that is better done here, our own, and else the given one."""
    ours = QUICK.get(getattr(function, "__name__", ""))
    return ours if ours is not None and function is not ours and _is_quicker(args, kwargs) else function


def _is_quicker(args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool:
    names = ("input", "weight", "bias", "stride", "padding", "dilation", "groups")
    told: dict[str, Any] = dict(zip(names, args, strict=False)) | dict(kwargs)
    image, weight, padding = told["input"], told["weight"], told.get("padding", 0)
    if any(type(each) not in (Tensor, torch.nn.Parameter) or each.dtype != torch.float64 for each in (image, weight)):
        return False
    if image.device.type != "cpu" or image.dim() != weight.dim() or isinstance(padding, str):
        return False
    kernel, (others, own) = weight.shape[2:], weight.shape[:2]
    if prod(kernel) < 2 or min(others, own) < LEAST_CHANNELS or told.get("groups", 1) != 1:
        return False
    if any({*_of_each(told.get(each, 1), len(kernel))} != {1} for each in ("stride", "dilation")):
        return False
    around = _of_each(padding, len(kernel))
    sizes = [size + 2 * more for size, more in zip(image.shape[2:], around, strict=True)]
    made = [size - width + 1 for size, width in zip(sizes, kernel, strict=True)]
    if min(made) < 1 or min(others, own) * prod(made) < LEAST_NUMBERS:
        return False
    return bool(prod(sizes) <= MOST_PADDING[len(kernel)] * prod(made))


def _seen(function: Callable[..., Tensor], given: Tensor, weight: Tensor, bias: Tensor | None, *rest: Any) -> Tensor:
    """The convolution, or what those make of it who look on at functions."""
    if has_torch_function((given, weight)):
        found: Tensor = handle_torch_function(function, (given, weight), given, weight, bias, *rest)
        return found
    _, padding, *_ = rest
    dimensions = weight.dim() - 2
    around = tuple(_of_each(padding, dimensions))
    made: Tensor = Shifted.apply(given, weight, around)  # type: ignore[no-untyped-call]
    return made if bias is None else made + bias.view(-1, *[1] * dimensions)


class Shifted(Function):
    """A convolution of stride 1 with zeros around, image by image, so that all of one stays near."""

    @staticmethod
    def forward(ctx: Any, given: Tensor, weight: Tensor, around: tuple[int, ...]) -> Tensor:
        given = _in_zeros(given, around, [size + 2 * more for size, more in zip(given.shape[2:], around, strict=True)])
        sizes, kernel = given.shape[2:], weight.shape[2:]
        pixels, taps = given.flatten(2), weight.flatten(2).permute(2, 0, 1).contiguous()
        shifts = _shifts(sizes, kernel)
        count = prod(sizes) - shifts[-1]
        made = given.new_empty(len(given), len(weight), prod(sizes))
        for image, outcome in zip(pixels, made[:, :, :count], strict=True):
            for tap, shift in zip(taps, shifts, strict=True):
                # The first product is written over whatever lies there.
                outcome.addmm_(tap, image[:, shift : shift + count], beta=min(shift, 1))
        ctx.save_for_backward(given, weight)
        ctx.around = around
        images: Tensor = made.view(*made.shape[:2], *sizes)
        inner = [slice(size - width + 1) for size, width in zip(sizes, kernel, strict=True)]
        return images[(slice(None), slice(None), *inner)].contiguous()

    @staticmethod
    def backward(ctx: Any, *outward: Tensor) -> tuple[Tensor | None, Tensor, None]:
        given, weight = ctx.saved_tensors
        sizes, kernel = given.shape[2:], weight.shape[2:]
        pixels, taps = given.flatten(2), weight.flatten(2).permute(2, 1, 0).contiguous()
        back = _in_zeros(outward[0], (0,) * len(sizes), sizes).flatten(2)
        shifts = _shifts(sizes, kernel)
        count = prod(sizes) - shifts[-1]
        of_given, of_taps = torch.empty_like(pixels), given.new_zeros(len(taps), *weight.shape[:2])
        of_given[:, :, count:].zero_()
        for image, outcome, coming in zip(pixels, of_given, back[:, :, :count], strict=True):
            for tap, of_tap, shift in zip(taps, of_taps, shifts, strict=True):
                of_tap.addmm_(coming, image[:, shift : shift + count].t())
                if ctx.needs_input_grad[0]:
                    outcome[:, shift : shift + count].addmm_(tap, coming, beta=min(shift, 1))
        of_weight = of_taps.permute(1, 2, 0).reshape(weight.shape)
        if not ctx.needs_input_grad[0]:
            return None, of_weight, None
        inner = [slice(more, size - more) for size, more in zip(sizes, ctx.around, strict=True)]
        return of_given.view(given.shape)[(slice(None), slice(None), *inner)], of_weight, None


def _in_zeros(given: Tensor, before: Sequence[int], sizes: Sequence[int]) -> Tensor:
    """Images as part of larger ones; only what lies around them is filled, where `pad` would fill all.

    >>> _in_zeros(torch.ones(1, 1, 1, 2), (1, 0), (2, 3)).tolist()
    [[[[0.0, 0.0, 0.0], [1.0, 1.0, 0.0]]]]
    """
    made = given.new_empty(*given.shape[:2], *sizes)
    inner = [slice(at, at + size) for at, size in zip(before, given.shape[2:], strict=True)]
    for axis, within in enumerate(inner, 2):
        made.narrow(axis, 0, within.start).zero_()
        made.narrow(axis, within.stop, made.size(axis) - within.stop).zero_()
    made[(slice(None), slice(None), *inner)] = given
    return made


def _shifts(sizes: Sequence[int], kernel: Sequence[int]) -> list[int]:
    """For each tap of a kernel, by how many pixels it shifts images of these sizes."""
    steps = [prod(sizes[axis + 1 :]) for axis in range(len(sizes))]
    places = product(*map(range, kernel))
    return [sum(at * step for at, step in zip(place, steps, strict=True)) for place in places]


def _of_each(size: Sizes, count: int) -> tuple[int, ...]:
    return (size,) * count if isinstance(size, int) else tuple(size) * (count // len(size))
