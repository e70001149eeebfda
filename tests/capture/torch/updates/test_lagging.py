"""Averages of weights that are evaluated."""

import copy

import pytest
import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel

from stetho.capture.guard import Guard
from stetho.capture.torch.models.ancestry import Ancestry
from stetho.capture.torch.models.models import Models
from stetho.capture.torch.updates.lagging import Lagging


def trained(decay, steps=50):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 8), nn.Linear(8, 2))
    average = copy.deepcopy(model)
    models = Models(Ancestry(Guard(lambda *_: None)))
    models.adopt(model)
    lagging = Lagging(models)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    with torch.no_grad():
        way = [torch.randn_like(p) for p in model.parameters()]
        for _ in range(steps):
            lagging.before_update(optimizer)
            for parameter, direction, other in zip(model.parameters(), way, average.parameters(), strict=True):
                parameter.add_(direction, alpha=0.01)
                other.lerp_(parameter, 1 - decay)
    return lagging, average, model


@pytest.mark.parametrize(("decay", "low", "high"), [(0.9999, 0.0, 0.01), (0.5, 0.95, 1.0)])
def test_an_average_is_as_far_along_the_way_as_its_decay_lets_it(decay, low, high):
    lagging, average, _model = trained(decay)
    lagging.evaluated(1, average, 50)
    found = lagging.result()
    assert low < found["gone"] < high
    assert found["cosine"] > 0.99
    assert (found["model"], found["step"]) == (1, 50)


def test_a_wrapper_around_the_average_does_not_hide_it():
    lagging, average, _model = trained(0.9999)
    lagging.evaluated(1, AveragedModel(average), 50)
    assert lagging.result()["gone"] < 0.01


def test_other_models_are_no_copies_and_a_teacher_goes_no_such_way():
    lagging, _, _model = trained(0.9)
    lagging.evaluated(1, nn.Linear(4, 8), 50)
    assert lagging.result() is None
    lagging.evaluated(1, nn.Sequential(nn.Linear(4, 8), nn.Linear(8, 2)), 50)
    assert abs(lagging.result()["cosine"]) < 0.4


def test_the_trained_model_itself_is_not_looked_at():
    lagging, average, _model = trained(0.9)
    lagging.evaluated(0, average, 50)
    assert lagging.result() is None
    lagging.clear()
    lagging.evaluated(1, average, 50)
    assert lagging.result() is None
