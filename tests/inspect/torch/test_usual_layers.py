"""Tests of what is known of layers without looking: each must do what a look at it shows."""

import pytest
import torch
from torch import Tensor, nn

from stetho.inspect.call import Call
from stetho.inspect.flops import flops_of
from stetho.inspect.torch.recording import record
from stetho.inspect.torch.usual_layers import NORMS, PRODUCTS, SINGLE, usual_work

IMAGE, FEATURES = torch.randn(2, 4, 8, 8), torch.randn(2, 4)
KNOWN: list[tuple[nn.Module, Tensor]] = [
    (nn.Linear(4, 3), FEATURES),
    (nn.Conv1d(4, 6, 3, groups=2), torch.randn(2, 4, 9)),
    (nn.Conv2d(4, 6, 3, bias=False, stride=2), IMAGE),
    (nn.Conv3d(4, 2, 2), torch.randn(2, 4, 5, 5, 5)),
    *((made(), FEATURES) for made in (nn.ReLU, nn.GELU, nn.SiLU, nn.Sigmoid, nn.Tanh, nn.LeakyReLU, nn.ELU)),
    *((made(dim=-1), FEATURES) for made in (nn.Softmax, nn.LogSoftmax)),
    (nn.ReLU(inplace=True), FEATURES),
    (nn.Dropout(), FEATURES),
    (nn.LayerNorm(4), FEATURES),
    (nn.GroupNorm(2, 4), IMAGE),
    (nn.Embedding(5, 3), torch.tensor([1, 2])),
    (nn.MaxPool2d(2), IMAGE),
    (nn.AvgPool2d(2), IMAGE),
    (nn.AdaptiveAvgPool2d(1), IMAGE),
    (nn.Flatten(), IMAGE),
    (nn.BatchNorm1d(4), FEATURES),
    (nn.BatchNorm2d(4), IMAGE),
    (nn.BatchNorm2d(4).eval(), IMAGE),
    (nn.BatchNorm2d(4, track_running_stats=False), IMAGE),
    (nn.BatchNorm3d(4), torch.randn(2, 4, 3, 3, 3)),
]


def test_every_layer_that_is_known_is_looked_at_here() -> None:
    assert {type(layer) for layer, _ in KNOWN} == {*PRODUCTS, *SINGLE, *NORMS}


@pytest.mark.parametrize(
    ("layer", "given"), KNOWN, ids=lambda value: str(value) if isinstance(value, nn.Module) else ""
)
def test_a_layer_does_what_is_known_of_it(layer: nn.Module, given: Tensor) -> None:
    model = nn.Sequential(layer)
    short, long = (record(model, Call((given.clone(),)), is_terse=is_terse) for is_terse in (True, False))
    assert len(short.operations) + short.uncounted == len(long.operations) > 0
    assert [(each.name, each.layer, flops_of(each)) for each in short.operations] == [
        (each.name, each.layer, flops_of(each)) for each in long.operations if any(flops_of(each))
    ]
    assert sum(short.kept.values()) == sum(each.saved for each in long.operations)


def test_a_layer_that_somebody_has_hooked_is_looked_at() -> None:
    model = nn.Sequential(nn.Linear(4, 3))
    model[0].register_forward_hook(lambda _module, _given, result: result.exp() @ torch.ones(3, 2))
    found = record(model, Call((FEATURES,)), is_terse=True)
    assert ([each.name for each in found.operations], found.uncounted) == (["linear", "matmul"], 2)


def test_a_weight_that_may_look_on_itself_makes_a_layer_unusual() -> None:
    class Packed(Tensor):
        pass

    layer = nn.Linear(4, 3, bias=False)
    assert usual_work([layer])
    layer.weight = nn.Parameter(layer.weight.detach().as_subclass(Packed))
    assert not usual_work([layer])


def test_padding_of_a_convolution_is_an_operation() -> None:
    model = nn.Conv2d(4, 4, 3, padding=1, padding_mode="circular")
    assert record(model, Call((IMAGE,)), is_terse=True).uncounted == 1


def test_the_failure_of_a_known_layer_names_its_operation() -> None:
    model = nn.Sequential(nn.Linear(4, 3), nn.LayerNorm(5))
    failure = record(model, Call((FEATURES,)), keep_failure=True, is_terse=True).failure
    assert failure is not None
    assert (failure.layer, failure.operation) == ("1", "layer_norm")
