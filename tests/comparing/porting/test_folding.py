"""Norms in the layer before them."""

from typing import Any

import pytest
import torch
from torch import nn
from torch.nn.utils.parametrizations import spectral_norm, weight_norm

from stetho.comparing.models.compare import compare_models
from stetho.comparing.porting.folding import folded_weights, is_derived
from stetho.comparing.porting.recipe import Recipe
from stetho.comparing.torch.capture import trace
from stetho.inspect.call import Call


def test_a_folded_convolution_computes_what_both_do() -> None:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Conv2d(2, 3, 3, bias=False), nn.BatchNorm2d(3)).double().eval()
    nn.init.uniform_(model[1].running_var, 0.5, 2.0)
    nn.init.normal_(model[1].running_mean)
    x = torch.randn(2, 2, 5, 5).double()
    found = folded_weights(trace(model, Call((x,)), "net"))
    weight, bias = (torch.from_numpy(each) for each in found.values())
    assert list(found) == ["0.weight with 1", "0.bias with 1"]
    assert torch.allclose(nn.functional.conv2d(x, weight, bias), model(x))


def test_what_was_computed_is_derived() -> None:
    assert is_derived(Recipe(("a", "b"), (2,), is_summed=True))
    assert is_derived(Recipe(("0.weight with 1",), (2,)))
    assert not is_derived(Recipe(("a",), (2,)))


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("parametrize", [weight_norm, spectral_norm], ids=lambda each: each.__name__)
def test_a_weight_in_parts_is_the_weight_that_is_made_of_them(parametrize: Any, turned: bool) -> None:
    torch.manual_seed(0)
    parts, whole = nn.Sequential(parametrize(nn.Linear(6, 5)), nn.ReLU()), nn.Sequential(nn.Linear(6, 5), nn.ReLU())
    parts.eval()
    with torch.no_grad():
        whole[0].weight.copy_(parts[0].weight)
        whole[0].bias.copy_(parts[0].bias)
    pair = (whole, parts) if turned else (parts, whole)
    found = compare_models(*pair, (4, 6), port=False)
    assert found.is_equal, str(found)
    with torch.no_grad():
        whole[0].weight[1, 2] += 1e-3
    assert not compare_models(*pair, (4, 6), port=False).is_equal
