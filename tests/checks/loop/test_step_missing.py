from dataclasses import replace

import pytest

from stetho.checks.declare import Skip
from stetho.checks.loop.step_missing import step_missing
from stetho.checks.run.facts import LossGraph, Optimizer
from stetho.testing import make_window

PARAMETERS = ("fc1.weight", "fc1.bias", "fc2.weight", "fc2.bias")
STILL = {(name, "update.absmax"): 0.0 for name in PARAMETERS}
ORDER = "zero_grad forward backward"


def test_finds_an_optimizer_that_never_steps():
    found = step_missing(make_window(order=ORDER, stats=STILL))
    assert (found.severity, found.where.line, found.evidence["backward_passes"]) == ("error", 32, 60)
    assert "no step of Adam" in found.title


def test_stays_quiet_when_it_steps_once_in_a_while():
    assert step_missing(make_window(order=[*[ORDER] * 59, f"{ORDER} step"], stats=STILL)) is None


def test_stays_quiet_when_the_scaler_leaves_steps_out():
    assert step_missing(make_window(order=f"{ORDER} step(skipped)", stats=STILL)) is None


def test_stays_quiet_when_the_program_moves_the_parameters_itself():
    assert step_missing(make_window(order=ORDER)) is None


def test_stays_quiet_after_few_backward_passes():
    assert step_missing(make_window(steps=4, order=ORDER, stats=STILL)) is None


def test_is_skipped_without_an_optimizer():
    with pytest.raises(Skip, match="the program has no optimizer"):
        step_missing(make_window(optimizers=[]))


def two_optimizers(reached, numbers=(0,)):
    parameters = [replace(p, optimizer=int(p.layer == "fc1")) for p in make_window().parameters]
    optimizers, graphs = [Optimizer(0, "Adam"), Optimizer(1, "SGD")], [LossGraph(reached=reached)]
    step = {"optimizer": [*numbers * 60][:60]}
    window = make_window(parameters=parameters, optimizers=optimizers, loss_graphs=graphs, step=step)
    still = {p.name for p in parameters if p.optimizer not in numbers}
    window.series = frozenset(key for key in window.series if not (key[1] in still and key[2] == "update"))
    return window


def test_finds_the_one_of_two_optimizers_that_never_steps():
    found = step_missing(two_optimizers(PARAMETERS))
    assert "no step of one of 2 optimizers (SGD, 2 parameters)" in found.title


def test_stays_quiet_when_the_loss_does_not_need_the_other_or_both_step():
    assert step_missing(two_optimizers(PARAMETERS[2:])) is None
    assert step_missing(two_optimizers(PARAMETERS, (0, 1))) is None


def test_finds_updates_that_use_one_backward_pass_of_many():
    guessing = {"label_counts": [[50, 50]] * 60, "correct": 51, "counted": 100}
    rows = {"batch": guessing, "eval_batch": {"label_counts": None}}
    found = step_missing(make_window(order=f"{' '.join([ORDER] * 12)} step", step={"backwards": 12}, **rows))
    assert (found.severity, found.where.line, found.evidence["updates"]) == ("error", 33, 60)
    assert "720 backward passes and 60 updates: the gradients of 11 in 12" in found.title


def test_points_at_the_condition_that_is_never_met():
    given = {"train.py:32": {"condition": "train.py:33"}}
    assert step_missing(make_window(order=ORDER, stats=STILL, given=given)).where.line == 33
