"""Weights that nobody trained or loaded."""

import pytest
import torch
from torch import nn

from stetho.capture.torch.models.as_made import is_as_made

LAYERS = (nn.Linear(64, 10), nn.Conv2d(3, 8, 3), nn.Conv1d(8, 16, 5), nn.Linear(500, 500), nn.Embedding(300, 8))


@pytest.fixture(autouse=True)
def _seed():
    torch.manual_seed(0)


@pytest.mark.parametrize("layer", LAYERS)
def test_layers_as_they_begin_are_known(layer):
    layer.reset_parameters()
    assert is_as_made(layer.weight)


def test_recurrent_layers_and_own_distributions_are_known():
    layer = nn.GRU(8, 32)
    assert is_as_made(layer.weight_ih_l0)
    assert is_as_made(layer.weight_hh_l0)
    assert is_as_made(nn.init.kaiming_normal_(torch.empty(64, 64)))
    assert is_as_made(0.1 * torch.randn(800, 8))


def test_what_was_trained_or_made_otherwise_is_not():
    layer = nn.Linear(64, 10)
    with torch.no_grad():
        layer.weight += 0.05 * torch.randn_like(layer.weight)
    others = (layer.weight, torch.eye(8), torch.zeros(8, 8), layer.bias, torch.rand(32, 32))
    assert not any(is_as_made(weight) for weight in others)


def test_what_has_an_order_in_it_is_not():
    vectors = torch.randn(400, 4) @ torch.randn(4, 16)
    assert not is_as_made(vectors)
    sums = torch.rand(200, 1) + torch.rand(200, 12)
    assert not is_as_made(sums - sums.mean())
