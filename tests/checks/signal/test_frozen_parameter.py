import numpy as np
import pytest

from stetho.checks.declare import Skip
from stetho.checks.run.facts import Group, Optimizer, Parameter
from stetho.checks.signal.frozen_parameter import frozen_parameter
from stetho.testing import make_window

STILL = {("fc1.weight", "update.absmax"): 0.0}


def test_finds_a_group_with_the_rate_zero() -> None:
    optimizer = Optimizer(0, "Adam", "train.py:5", (Group({"lr": 0.0}, ("fc1.weight",)),))
    finding = frozen_parameter(make_window(stats=STILL, optimizers=[optimizer]))
    assert "has the learning rate 0" in finding.title
    assert (finding.where.parameter, finding.where.line) == ("fc1.weight", 5)


def test_finds_a_gradient_that_is_always_zero() -> None:
    finding = frozen_parameter(make_window(stats={**STILL, ("fc1.weight", "grad.absmax"): 0.0}))
    assert "exactly zero" in finding.title
    assert finding.severity == "error"


def test_finds_a_step_that_is_lost() -> None:
    assert "lost in float32" in frozen_parameter(make_window(stats=STILL)).title


def test_a_bias_is_a_note() -> None:
    assert frozen_parameter(make_window(stats={("fc1.bias", "update.absmax"): 0.0})).severity == "note"


def test_stays_quiet_on_parameters_that_move_once() -> None:
    moved = np.zeros(60)
    moved[30] = 1e-3
    assert frozen_parameter(make_window()) is None
    assert frozen_parameter(make_window(stats={("fc1.weight", "update.absmax"): moved})) is None


def test_skips_short_runs_and_skipped_steps() -> None:
    with pytest.raises(Skip, match="measured"):
        frozen_parameter(make_window(steps=3))
    with pytest.raises(Skip, match="scaler"):
        frozen_parameter(make_window(step={"skipped": 1}))


def test_finds_a_part_that_was_frozen_as_it_was_made() -> None:
    parameters = [
        Parameter("fc1.weight", (16, 8), 128, trainable=False, optimizer=None, as_made=True),
        Parameter("fc2.weight", (4, 16), 64),
    ]
    rows = {"label_counts": [[15, 15, 15, 15]] * 10, "correct": 30, "counted": 60}
    finding = frozen_parameter(make_window(steps=200, parameters=parameters, eval_batch=rows))
    assert (finding.severity, finding.where.parameter) == ("warning", "fc1.weight")
