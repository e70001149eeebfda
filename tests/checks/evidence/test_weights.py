"""The weights of a model and how they move."""

from dataclasses import replace

import numpy as np
import pytest

from stetho.checks.evidence.weights import (
    fan_in,
    is_from_the_start,
    never_touched,
    outputs_of,
    path,
    relative_updates,
    trained_weights,
    weight_of,
)
from stetho.checks.run.facts import Parameter
from stetho.checks.run.series import Series
from stetho.testing import make_window

WEIGHT = Parameter("fc1.weight", (32, 8), 256)


def test_trained_weights_have_two_dimensions_and_an_optimizer():
    assert [weight.name for weight in trained_weights(make_window())] == ["fc1.weight", "fc2.weight"]
    odd = [replace(WEIGHT, optimizer=None), replace(WEIGHT, name="fc2.weight", trainable=False)]
    assert trained_weights(make_window(parameters=odd)) == []


def test_embeddings_and_norms_are_left_out():
    layers = {"embed": "Embedding(16, 8)", "norm": "LayerNorm((8, 8), eps=1e-05)", "fc": "Linear(8, 4)"}
    assert [weight.layer for weight in trained_weights(make_window(layers=layers))] == ["fc"]


@pytest.mark.parametrize(("shape", "expected"), [((32, 8), 8), ((16, 3, 5, 5), 75), ((4,), 1), ((), 1), ((4, 0), 1)])
def test_fan_in_is_never_zero(shape, expected):
    assert fan_in(Parameter("weight", shape)) == expected


def test_updates_are_relative_to_the_weight_but_not_to_one_near_zero():
    usual = {("fc1.weight", "update.rms"): 0.01, ("fc1.weight", "param.rms"): 0.5}
    assert relative_updates(make_window(stats=usual), WEIGHT).last == pytest.approx(0.02)
    zero = usual | {("fc1.weight", "param.rms"): 0.0}
    assert relative_updates(make_window(stats=zero), WEIGHT).last == pytest.approx(0.01 * np.sqrt(8) / 0.3)
    assert relative_updates(make_window(stats={("fc1.weight", "update.rms"): None}), WEIGHT) is None


def test_a_series_from_the_start_has_the_first_step_of_its_own_optimizer():
    window = make_window(step={"optimizer": [0.0] * 10 + [1.0] * 50})
    late = Series(np.array([11, 12]), np.ones(2))
    assert not is_from_the_start(window, WEIGHT, late)
    assert is_from_the_start(window, replace(WEIGHT, optimizer=1), late)
    assert not is_from_the_start(window, WEIGHT, None)


def test_the_path_is_as_long_as_the_steps_of_the_optimizer():
    stats = {("fc1.weight", "update.rms"): 0.01, ("fc1.weight", "param.rms"): 0.5}
    assert path(make_window(stats=stats), WEIGHT) == pytest.approx(60 * 0.02)
    half = make_window(stats=stats, step={"optimizer": [0.0, 1.0] * 30})
    assert path(half, WEIGHT) == pytest.approx(30 * 0.02)
    assert np.isnan(path(make_window(stats={("fc1.weight", "update.rms"): None}), WEIGHT))


def test_a_layer_knows_its_weight():
    window = make_window()
    assert weight_of(window, window.layer("fc1")).name == "fc1.weight"
    assert weight_of(window, window.layer("relu")) is None


def test_what_was_never_touched_is_read_from_the_state_of_the_optimizer():
    assert never_touched(make_window(), WEIGHT) is None
    zeros = {("fc1.weight", "state.momentum_buffer.zeros"): 64, ("fc1.weight", "state.momentum_buffer.count"): 256}
    assert never_touched(make_window(stats=zeros), WEIGHT) == 0.25


def test_a_model_chooses_from_the_classes_of_its_loss_and_never_from_more_than_its_last_weight_gives() -> None:
    assert outputs_of(make_window(), Parameter("mlp.weight", (192, 48))) == 4
    assert outputs_of(make_window(), Parameter("head.weight", (3, 48))) == 3
    assert outputs_of(make_window(losses=[]), Parameter("head.weight", (10, 48))) == 10
