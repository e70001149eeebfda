"""Convolutions in double precision give what those of torch give, forward and back."""

import pytest
import torch
from torch import nn

from stetho.comparing.torch.capture import in_double, trace
from stetho.comparing.torch.wide_convolution import conv2d, conv3d, quickest
from stetho.inspect.call import Call


@pytest.mark.parametrize("kernel", [(3, 3), (1, 2), (5, 3), (2, 2)])
@pytest.mark.parametrize("padding", [0, 1, (2, 1)])
@pytest.mark.parametrize("has_bias", [False, True])
def test_values_and_gradients_are_those_of_torch(kernel: tuple[int, int], padding: object, has_bias: bool) -> None:
    torch.manual_seed(0)
    image = torch.randn(2, 3, 11, 9, dtype=torch.float64, requires_grad=True)
    weight = torch.randn(4, 3, *kernel, dtype=torch.float64, requires_grad=True)
    bias = torch.randn(4, dtype=torch.float64, requires_grad=True) if has_bias else None
    starts = [image, weight, *([bias] if bias is not None else [])]
    ours, theirs = (each(image, weight, bias, 1, padding) for each in (conv2d, torch.conv2d))
    outward = torch.randn_like(theirs)
    torch.testing.assert_close(ours, theirs)
    for mine, yours in zip(*(torch.autograd.grad(end, starts, outward) for end in (ours, theirs)), strict=True):
        torch.testing.assert_close(mine, yours)


def test_volumes_and_their_gradients_are_those_of_torch() -> None:
    torch.manual_seed(0)
    volume = torch.randn(2, 3, 5, 6, 7, dtype=torch.float64, requires_grad=True)
    weight = torch.randn(4, 3, 3, 2, 1, dtype=torch.float64, requires_grad=True)
    ours, theirs = (each(volume, weight, None, 1, (1, 0, 2)) for each in (conv3d, torch.conv3d))
    outward = torch.randn_like(theirs)
    torch.testing.assert_close(ours, theirs)
    for mine, yours in zip(
        *(torch.autograd.grad(end, [volume, weight], outward) for end in (ours, theirs)), strict=True
    ):
        torch.testing.assert_close(mine, yours)


@pytest.mark.parametrize(
    ("image", "weight", "settings", "expected"),
    [
        ((1, 16, 32, 32), (16, 16, 3, 3), {"padding": 1}, True),
        ((1, 16, 4, 4), (16, 16, 3, 3), {"padding": 1}, False),
        ((1, 64, 8, 8), (64, 64, 3, 3), {"padding": 0}, False),
        ((1, 3, 64, 64), (16, 3, 3, 3), {"padding": 1}, False),
        ((1, 16, 16, 16), (16, 16, 3, 3), {"padding": 1}, False),
        ((1, 16, 32, 32), (16, 16, 3, 3), {"padding": 1, "stride": 2}, False),
        ((1, 16, 32, 32), (16, 16, 3, 3), {"padding": (1, 1), "dilation": (1, 1), "stride": (1, 1)}, True),
        ((1, 16, 32, 32), (16, 16, 3, 3), {"dilation": 2}, False),
        ((1, 32, 32, 32), (32, 16, 3, 3), {"groups": 2}, False),
        ((1, 16, 32, 32), (16, 16, 1, 1), {}, False),
        ((1, 16, 32, 32), (16, 16, 3, 3), {"padding": "same"}, False),
        ((16, 32, 32), (16, 16, 3, 3), {"padding": 1}, False),
        ((1, 16, 8, 16, 16), (32, 16, 3, 3, 3), {"padding": 1}, True),
    ],
)
def test_only_what_is_quicker_this_way_is_done_so(
    image: tuple[int, ...], weight: tuple[int, ...], settings: dict[str, object], expected: bool
) -> None:
    tensors = torch.zeros(image, dtype=torch.float64), torch.zeros(weight, dtype=torch.float64)
    theirs = torch.conv3d if len(weight) == 5 else torch.conv2d
    assert (quickest(theirs, tensors, settings) is not theirs) is expected
    assert quickest(theirs, [each.float() for each in tensors], settings) is theirs


def test_it_is_seen_as_one_convolution_with_its_settings() -> None:
    model = nn.Sequential(nn.Conv2d(8, 9, 3, padding=1)).double()
    found = trace(model, in_double(Call((torch.randn(1, 8, 40, 40),))), "net", gradients_of=[0])
    (site,) = (each for each in found.sites if each.operands)
    assert conv2d.__name__ == torch.conv2d.__name__
    assert (site.name, site.layer, site.arguments["padding"]) == ("conv2d", "0", [1, 1])
    assert set(found.weight_gradients) == {"0.weight", "0.bias"}
