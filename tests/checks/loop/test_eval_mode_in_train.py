import pytest

from stetho.checks.declare import Skip
from stetho.checks.loop.eval_mode_in_train import eval_mode_in_train
from stetho.checks.run.facts import Model, Parameter
from stetho.testing import make_window
from stetho.testing.healthy import LAYERS

DROPPING = LAYERS | {"drop": "Dropout(p=0.5, inplace=False)"}


def test_finds_a_model_that_never_trains_in_training_mode():
    found = eval_mode_in_train(make_window(layers=DROPPING, batch={"training": 0.0}))
    assert (found.severity, found.steps.count) == ("error", 60)
    assert "in all steps" in found.title


def test_finds_the_step_since_which_it_is_off():
    found = eval_mode_in_train(make_window(layers=DROPPING, batch={"training": [1.0] * 20 + [0.0] * 40}))
    assert (found.steps.first, found.steps.last) == (21, 60)


def test_stays_quiet_in_training_mode():
    assert eval_mode_in_train(make_window(layers=DROPPING)) is None


def test_stays_quiet_when_it_comes_back():
    modes = [1.0] * 20 + [0.0] * 10 + [1.0] * 30
    assert eval_mode_in_train(make_window(layers=DROPPING, batch={"training": modes})) is None


@pytest.mark.parametrize("layers", [LAYERS, LAYERS | {"drop": "Dropout(p=0, inplace=False)"}])
def test_is_skipped_when_no_layer_differs(layers):
    with pytest.raises(Skip, match="no trained model has layers that differ"):
        eval_mode_in_train(make_window(layers=layers, batch={"training": 0.0}))


def test_is_skipped_when_the_model_is_not_trained_or_hardly_ran():
    teacher = [Model(0, "Teacher", is_trained=False)]
    with pytest.raises(Skip):
        eval_mode_in_train(make_window(layers=DROPPING, batch={"training": 0.0}, models=teacher))
    with pytest.raises(Skip):
        eval_mode_in_train(make_window(steps=4, layers=DROPPING, batch={"training": 0.0}))


@pytest.mark.parametrize("trainable", [True, False])
def test_a_frozen_part_may_be_in_evaluation_mode(trainable):
    layers = LAYERS | {"body.norm": "BatchNorm1d(8, eps=1e-05)", "body.drop": "Dropout(p=0.5, inplace=False)"}
    parameters = [Parameter("fc1.weight", (8, 4), 32), Parameter("body.norm.weight", (8,), 8, trainable=trainable)]
    window = make_window(layers=layers, parameters=parameters, batch={"training": 0.0})
    if trainable:
        assert "BatchNorm1d" in eval_mode_in_train(window).title
    else:
        with pytest.raises(Skip, match="no trained model has layers that differ"):
            eval_mode_in_train(window)


def test_points_at_the_line_that_switched_it_off():
    window = make_window(layers=DROPPING, batch={"training": 0.0}, lines={"eval mode": ["train.py:4"]})
    assert eval_mode_in_train(window).where.line == 4
