"""Tests that a model is left as it was."""

import random

import numpy as np
import torch
from torch import nn

from stetho.inspect.torch.undisturbed import undisturbed


def test_random_numbers_go_on_as_if_nothing_had_been() -> None:
    random.seed(1), np.random.seed(1), torch.manual_seed(1)
    with undisturbed(nn.ReLU()):
        random.random(), np.random.rand(), torch.rand(1)
    seen = random.random(), np.random.rand(), float(torch.rand(1))
    random.seed(1), np.random.seed(1), torch.manual_seed(1)
    assert seen == (random.random(), np.random.rand(), float(torch.rand(1)))


def test_a_buffer_is_put_back_and_one_that_was_not_written_to_is_not_touched() -> None:
    model = nn.Sequential(nn.BatchNorm1d(2), nn.BatchNorm1d(2).eval())
    before = model[1].running_mean._version
    with undisturbed(model) as parts:
        parts[0][1](torch.randn(5, 2))
    assert model[0].running_mean.tolist() == [0, 0]
    assert model[1].running_mean._version == before


def test_a_model_that_was_made_for_inference_only_is_left_as_it_was() -> None:
    with torch.inference_mode():
        model = nn.BatchNorm1d(2)
        with undisturbed(model) as [(_, same)]:
            same(torch.randn(5, 2))
    assert model.running_mean.tolist() == [0, 0]
    with undisturbed(model.eval()) as [(_, same)], torch.no_grad():
        assert same(torch.ones(5, 2)).shape == (5, 2)


def test_attributes_that_are_replaced_or_filled_are_put_back() -> None:
    model = nn.ReLU()
    model.kept, model.cache = [1], {}
    cache = model.cache
    with undisturbed(model) as [(_, same)]:
        same.kept.append(2)
        same.cache["a"] = 1
        same.other = 3
    assert (model.kept, model.cache, hasattr(model, "other")) == ([1], {}, False)
    assert model.cache is cache
