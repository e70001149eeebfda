import numpy as np
import pytest

from stetho.checks.declare import Skip
from stetho.checks.loss.summed_loss import summed_loss
from stetho.checks.run.facts import Group, Loss, LossGraph, Op, Optimizer
from stetho.testing import make_window

SGD = [Optimizer(0, "SGD", "train.py:26", (Group({"lr": 0.1}),))]
SUM = [Loss("cross_entropy", "train.py:31", input="float32[32, 4]", target="int64[32]", reduction="sum")]
STUCK = {"loss": 90.0, "lr": 0.1}


def test_finds_a_sum_that_gets_nowhere() -> None:
    finding = summed_loss(make_window(optimizers=SGD, losses=SUM, step=STUCK))
    assert (finding.evidence["terms"], finding.where.line) == (32.0, 31)


def test_finds_a_sum_by_hand_that_ends_in_nan() -> None:
    graph = LossGraph("train.py:32", (Op("Sum", ()), Op("Pow", (32, 1)), Op("Sub", (32, 1))), (), (32, 1))
    losses = np.where(np.arange(60) < 5, 50.0, np.nan)
    assert (
        summed_loss(make_window(optimizers=SGD, losses=[], loss_graphs=[graph], step={"loss": losses, "lr": 0.1}))
        is not None
    )


def test_stays_quiet_on_a_mean_and_on_a_sum_that_is_divided() -> None:
    assert summed_loss(make_window(optimizers=SGD, step=STUCK)) is None
    graph = LossGraph("train.py:32", (Op("Div", ()), Op("NllLoss", ()), Op("LogSoftmax", (32, 4))))
    assert summed_loss(make_window(optimizers=SGD, losses=SUM, loss_graphs=[graph], step=STUCK)) is None


def test_stays_quiet_on_a_sum_that_trains() -> None:
    assert (
        summed_loss(make_window(optimizers=SGD, losses=SUM, step={"loss": np.linspace(50, 2, 60), "lr": 0.1})) is None
    )


def test_skips_optimizers_that_do_not_mind_and_short_runs() -> None:
    with pytest.raises(Skip):
        summed_loss(make_window(losses=SUM, step=STUCK))
    with pytest.raises(Skip):
        summed_loss(make_window(steps=2, optimizers=SGD, losses=SUM))


def test_finds_a_sum_whose_first_step_already_ruins_the_loss() -> None:
    losses = np.append(2000.0, np.linspace(1e6, 3e5, 59))
    assert summed_loss(make_window(optimizers=SGD, losses=SUM, step={"loss": losses, "lr": 0.1})) is not None
