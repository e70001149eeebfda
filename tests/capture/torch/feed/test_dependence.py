"""Whether targets have anything to do with inputs: chance comes out as one, and structure far above."""

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional

from stetho.capture.torch.feed import dependence
from stetho.capture.torch.feed.dependence import FEATURES, Dependence, feature_rows

from ..conftest import mlp, sgd, train


@pytest.fixture
def noise():
    return torch.Generator().manual_seed(0)


def test_labels_that_follow_the_inputs_are_far_above_chance(noise):
    inputs = torch.randn(400, 5, generator=noise)
    labels = (inputs[:, 2] > 0).long().numpy()
    found = Dependence()
    found.add_labels(inputs[:200], labels[:200], 2)
    found.add_labels(inputs[200:], labels[200:], 2)
    result = found.result()
    assert (result["samples"], result["classes"], result["features"]) == (400, 2, 10)
    assert result["best_over_chance"] > 50
    assert result["best_share"] == pytest.approx(0.64, abs=0.06)


def test_labels_by_chance_are_at_chance(noise):
    inputs, labels = torch.randn(2000, 50, generator=noise), torch.randint(0, 3, (2000,), generator=noise)
    found = Dependence()
    found.add_labels(inputs, labels.numpy(), 3)
    assert found.result()["mean_over_chance"] == pytest.approx(1.0, abs=0.4)


def test_numbers_are_told_by_their_correlation(noise):
    inputs = torch.randn(500, 3, generator=noise)
    found = Dependence()
    found.add_numbers(inputs, 2 * inputs[:, 0] + 1)
    result = found.result()
    assert result["classes"] == 0
    assert result["best_share"] == pytest.approx(1.0)


def test_targets_that_are_all_the_same_are_no_result(noise):
    inputs = torch.randn(500, 3, generator=noise)
    found = Dependence()
    found.add_numbers(inputs, torch.ones(500))
    assert found.result() is None
    near = Dependence()
    near.add_numbers(inputs, 1000 + 0.01 * inputs[:, 0].double())
    assert near.result()["best_share"] > 0.99, "small differences are differences"


def test_a_sample_that_comes_again_counts_once(noise):
    inputs, labels = torch.randn(20, 4, generator=noise), np.arange(20) % 2
    found = Dependence()
    for _ in range(3):
        found.add_labels(inputs, labels, 2)
    assert found.result()["samples"] == 20


@pytest.mark.parametrize(
    "inputs", [torch.full((4, 3), torch.nan), torch.ones(4, 3), torch.ones(1, 3)], ids=["nan", "constant", "one sample"]
)
def test_too_little_to_tell_is_no_result(inputs):
    found = Dependence()
    found.add_labels(inputs, np.zeros(len(inputs), np.int64), 2)
    assert found.result() is None


def test_batches_of_another_shape_are_left_out(noise):
    found = Dependence()
    found.add_labels(torch.randn(10, 4, generator=noise), np.arange(10) % 2, 2)
    found.add_labels(torch.randn(10, 5, generator=noise), np.arange(10) % 2, 2)
    found.add_labels(torch.randn(10, 4, generator=noise), np.arange(9) % 2, 2)
    found.add_labels(torch.randn(10, 4, generator=noise), np.arange(10) % 2, dependence.MOST_CLASSES + 1)
    assert found.result()["samples"] == 10


def test_it_has_seen_enough_at_some_time(noise, monkeypatch):
    monkeypatch.setattr(dependence, "MOST_SAMPLES", 10)
    found = Dependence()
    assert found.wants_more
    found.add_labels(torch.randn(10, 4, generator=noise), np.arange(10) % 2, 2)
    assert not found.wants_more


@pytest.mark.parametrize("shape", [(3, 2), (3, 1000), (3, 8, 8, 8)])
def test_a_sample_has_few_features(shape):
    assert feature_rows(torch.ones(shape)).shape[0] == 3
    assert feature_rows(torch.ones(shape)).shape[1] <= FEATURES
    assert feature_rows(torch.ones(shape).long()).sum() == torch.ones(shape).sum()


def test_the_run_says_it(record):
    model = mlp()
    optimizer = sgd(model)
    run = record(lambda: train(model, optimizer, 3, size=20), model, optimizer)
    assert run.model["probes"]["dependence"]["samples"] == 60


def test_regression_is_told_too(record):
    model = nn.Linear(4, 1)
    optimizer = sgd(model)

    def program():
        for _ in range(3):
            x = torch.randn(20, 4)
            functional.mse_loss(model(x)[:, 0], x.sum(1)).backward()
            optimizer.step()

    assert record(program, model, optimizer).model["probes"]["dependence"]["mean_over_chance"] > 3


def test_labels_that_tell_inside_from_outside_are_far_above_chance(noise):
    inputs = torch.randn(400, 2, generator=noise)
    found = Dependence()
    found.add_labels(inputs, (inputs.square().sum(1) > 1.4).long().numpy(), 2)
    assert found.result()["best_over_chance"] > 30


def test_of_several_numbers_the_first_is_compared():
    torch.manual_seed(0)
    inputs = torch.randn(400, 3)
    followed, alone = Dependence(), Dependence()
    followed.add_numbers(inputs, torch.stack([inputs[:, 0], torch.randn(400)], 1))
    alone.add_numbers(inputs, torch.randn(400, 2))
    assert followed.result()["best_over_chance"] > 100 > alone.result()["best_over_chance"]


def test_numbers_that_do_not_go_with_the_samples_are_left_out():
    for wanted in (torch.randn(7), torch.randn(400, 17), torch.randn(0)):
        one = Dependence()
        one.add_numbers(torch.randn(400, 3), wanted)
        assert one.result() is None
