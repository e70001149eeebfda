"""Weights that nobody trained or loaded."""

import pytest
import torch
from torch import nn

from stetho.capture.torch.as_made import is_as_made


@pytest.mark.parametrize("layer", [nn.Linear(64, 10), nn.Conv2d(3, 8, 3), nn.Conv1d(8, 16, 5), nn.Linear(500, 500)])
def test_layers_as_they_begin_are_known(layer):
    assert is_as_made(layer.weight)


def test_what_was_trained_or_made_otherwise_is_not():
    layer = nn.Linear(64, 10)
    with torch.no_grad():
        layer.weight += 0.05 * torch.randn_like(layer.weight)
    others = (layer.weight, nn.Embedding(10, 8).weight, torch.eye(8), torch.zeros(8, 8), layer.bias)
    assert not any(is_as_made(weight) for weight in others)
