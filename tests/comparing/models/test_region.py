"""Where two models part."""

import torch
from torch import nn

from stetho.comparing.models.agreement import Agreements
from stetho.comparing.models.region import beginnings, part, region
from stetho.comparing.torch.capture import trace
from stetho.inspect.call import Call

X = torch.randn(3, 4, generator=torch.Generator().manual_seed(0)).double()


def test_unequal_steps_behind_equal_values_are_no_difference() -> None:
    class ByHand(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            shares = x.exp()
            return (shares / shares.sum(-1, keepdim=True)).tanh() * 2

    class Ready(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x.softmax(-1).tanh() * 3

    one, other = trace(Ready(), Call((X,)), "a"), trace(ByHand(), Call((X,)), "b")
    same = Agreements(one, other, 1e-9)
    found = part(one, other, (one.outputs, other.outputs), same)
    assert found.one is not None
    assert found.other is not None
    assert (found.one.name, found.other.name) == ("mul", "mul")


def test_a_region_ends_at_what_agrees() -> None:
    found = trace(nn.Sequential(nn.ReLU(), nn.Tanh(), nn.Sigmoid()), Call((X,)), "a")
    relu, _, sigmoid = (layer.output for layer in found.layers if layer.is_leaf)
    sites = region(found, [sigmoid], lambda number: number == relu)
    assert [site.name for site in sites] == ["tanh", "sigmoid"]
    assert [site.name for site in beginnings(sites)] == ["tanh"]
