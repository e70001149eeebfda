import copy

import torch
from torch import nn

from stetho.capture.torch.updates.statistics import statistics_of


def trained():
    model = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Linear(8, 8), nn.BatchNorm1d(8))
    average = copy.deepcopy(model).eval()
    model(torch.randn(16, 4))
    return model, average


def test_counts_norms_that_never_got_the_statistics():
    model, average = trained()
    assert statistics_of(average, model) == {"norms": 2, "norms_as_made": 2}
    average[1].load_state_dict(model[1].state_dict())
    assert statistics_of(average, model) == {"norms": 2, "norms_as_made": 1}


def test_says_nothing_of_models_without_running_statistics_or_that_use_those_of_the_batch():
    model, average = trained()
    assert statistics_of(average.train(), model) == {}
    assert statistics_of(nn.Linear(2, 2), nn.Linear(2, 2)) == {}
    norm = nn.BatchNorm1d(2, track_running_stats=False)
    assert statistics_of(copy.deepcopy(norm).eval(), norm) == {}


def test_says_nothing_where_the_trained_model_has_moved_none_or_is_gone():
    _model, average = trained()
    assert statistics_of(average, copy.deepcopy(average)) == {}
    assert statistics_of(average, None) == {}
