"""Convolutions in double precision: torch has no quick ones there, and unfolds every input into columns.

Of a padded image whose rows lie one after the other, a tap of the kernel takes the same pixels, shifted by a fixed
number of places: the convolution is a sum of products with shifted images, and nothing is unfolded.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function
from torch.nn.functional import pad
from torch.overrides import handle_torch_function, has_torch_function

MOST_PADDING = 1.4
"""Where padding makes images larger than so many times, unfolding is quicker."""
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
    if has_torch_function((input, weight)):
        found: Tensor = handle_torch_function(
            conv2d, (input, weight), input, weight, bias, stride, padding, dilation, groups
        )
        return found
    down, across = _of_both(padding)
    made: Tensor = Shifted.apply(pad(input, (across, across, down, down)), weight)  # type: ignore[no-untyped-call]
    return made if bias is None else made + bias[:, None, None]


def is_quicker(function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool:
    """Whether a call is a convolution that is better done here."""
    if getattr(function, "__name__", "") != "conv2d" or len(args) < 2 or function is conv2d:
        return False
    names = ("input", "weight", "bias", "stride", "padding", "dilation", "groups")
    told = dict(zip(names, args, strict=False)) | dict(kwargs)
    image, weight, padding = told["input"], told["weight"], told.get("padding", 0)
    if any(type(each) not in (Tensor, torch.nn.Parameter) or each.dtype != torch.float64 for each in (image, weight)):
        return False
    if image.device.type != "cpu" or image.dim() != 4 or weight[0, 0].numel() < 2 or isinstance(padding, str):
        return False
    if told.get("groups", 1) != 1 or any({*_of_both(told.get(each, 1))} != {1} for each in ("stride", "dilation")):
        return False
    sizes = [size + 2 * around for size, around in zip(image.shape[2:], _of_both(padding), strict=True)]
    made = [size - width + 1 for size, width in zip(sizes, weight.shape[2:], strict=True)]
    return bool(min(made) > 0 and sizes[0] * sizes[1] <= MOST_PADDING * made[0] * made[1])


class Shifted(Function):
    """A convolution of stride 1 without padding, image by image, so that all of one stays near."""

    @staticmethod
    def forward(ctx: Any, given: Tensor, weight: Tensor) -> Tensor:
        (high, wide), (down, across) = given.shape[2:], weight.shape[2:]
        pixels, taps = given.flatten(2), weight.permute(2, 3, 0, 1).contiguous()
        shifts = _shifts(wide, down, across)
        count = high * wide - shifts[-1][-1]
        made = given.new_empty(len(given), len(weight), high * wide)
        for image, outcome in zip(pixels, made[:, :, :count], strict=True):
            for i, j, shift in shifts:
                # The first product is written over whatever lies there.
                outcome.addmm_(taps[i, j], image[:, shift : shift + count], beta=min(shift, 1))
        ctx.save_for_backward(given, weight)
        images: Tensor = made.view(*made.shape[:2], high, wide)
        return images[:, :, : high - down + 1, : wide - across + 1].contiguous()

    @staticmethod
    def backward(ctx: Any, *outward: Tensor) -> tuple[Tensor, Tensor]:
        given, weight = ctx.saved_tensors
        (high, wide), (down, across) = given.shape[2:], weight.shape[2:]
        pixels, taps = given.flatten(2), weight.permute(2, 3, 1, 0).contiguous()
        back = pad(outward[0], (0, across - 1, 0, down - 1)).flatten(2)
        shifts = _shifts(wide, down, across)
        count = high * wide - shifts[-1][-1]
        of_given, of_taps = torch.zeros_like(pixels), given.new_zeros(down, across, *weight.shape[:2])
        for image, outcome, coming in zip(pixels, of_given, back[:, :, :count], strict=True):
            for i, j, shift in shifts:
                of_taps[i, j].addmm_(coming, image[:, shift : shift + count].t())
                outcome[:, shift : shift + count].addmm_(taps[i, j], coming)
        return of_given.view(given.shape), of_taps.permute(2, 3, 0, 1).contiguous()


def _shifts(wide: int, down: int, across: int) -> list[tuple[int, int, int]]:
    """For each tap of a kernel its place, and by how many pixels it shifts an image of this width."""
    return [(i, j, i * wide + j) for i in range(down) for j in range(across)]


def _of_both(size: Sizes) -> tuple[int, int]:
    return (size, size) if isinstance(size, int) else (size[0], size[-1])
