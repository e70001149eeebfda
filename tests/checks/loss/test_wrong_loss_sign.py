import numpy as np
import pytest

from stetho.checks.declare import Skip
from stetho.checks.loss.wrong_loss_sign import wrong_loss_sign
from stetho.checks.run.facts import Group, Loss, LossGraph, Op, Optimizer
from stetho.checks.run.series import Series
from stetho.testing import make_window

RISING = np.linspace(1.4, 8.0, 60)
FALLING = np.linspace(1.4, 0.2, 60)


def test_finds_a_loss_with_the_opposite_sign() -> None:
    finding = wrong_loss_sign(make_window(step={"loss": -RISING}, batch={"loss": RISING}))
    assert (finding.severity, finding.evidence["ratio"]) == ("error", -1.0)


def test_finds_an_optimizer_that_maximises() -> None:
    optimizer = Optimizer(0, "SGD", "train.py:26", (Group({"lr": 0.1, "maximize": True}),))
    finding = wrong_loss_sign(make_window(step={"loss": RISING}, batch={"loss": RISING}, optimizers=[optimizer]))
    assert finding.where.line == 26


def test_finds_a_loss_by_hand_that_falls_without_end() -> None:
    graph = LossGraph("train.py:32", tuple(Op(name, (32, 4)) for name in ("Neg", "Mean", "Pow", "Sub")), (Op("Addmm"),))
    assert wrong_loss_sign(make_window(losses=[], loss_graphs=[graph], step={"loss": -RISING})).severity == "error"


def test_stays_quiet_on_losses_that_fall() -> None:
    assert wrong_loss_sign(make_window(step={"loss": FALLING}, batch={"loss": FALLING})) is None
    assert wrong_loss_sign(make_window(step={"loss": -FALLING}, batch={"loss": FALLING})) is None


def test_stays_quiet_on_nan_and_on_short_runs() -> None:
    assert wrong_loss_sign(make_window(step={"loss": None}, batch={"loss": np.nan})) is None
    assert wrong_loss_sign(make_window(steps=2, step={"loss": [-1, -2]}, batch={"loss": [1, 2]})) is None


def test_skips_adversarial_pairs_and_runs_without_a_loss() -> None:
    with pytest.raises(Skip):
        wrong_loss_sign(make_window(optimizers=[Optimizer(0, "Adam"), Optimizer(1, "Adam")]))
    with pytest.raises(Skip):
        wrong_loss_sign(make_window(losses=[], loss_graphs=[]))


def test_needs_a_loss_that_is_never_negative() -> None:
    window = make_window(
        step={"loss": -RISING}, batch={"loss": RISING}, losses=[Loss("gaussian_nll_loss")], loss_graphs=[]
    )
    assert wrong_loss_sign(window) is None


def choices(accuracy: list[float], *ops: Op):  # type: ignore[no-untyped-def]
    graph = LossGraph("train.py:32", (*ops, Op("Gather", (32, 1)), Op("LogSoftmax", (32, 10))), (Op("Addmm"),))
    return make_window(
        losses=[],
        loss_graphs=[graph],
        step={"loss": np.zeros(60)},
        eval_batch={"label_counts": [[3] * 10] * 3},
        metrics={("accuracy", "eval"): Series(np.arange(10, 50, 10), np.array(accuracy))},
    )


def test_finds_choices_that_are_unlearnt() -> None:
    assert wrong_loss_sign(choices([0.08, 0.02, 0.01, 0.0], Op("Mean"), Op("Mul"))) is not None


def test_stays_quiet_on_choices_with_a_minus_and_on_those_that_become_better() -> None:
    assert wrong_loss_sign(choices([0.08, 0.02, 0.01, 0.0], Op("Neg"), Op("Mean"), Op("Mul"))) is None
    assert wrong_loss_sign(choices([0.08, 0.02, 0.01, 0.0], Op("Mean"), Op("Mul", negative=True))) is None
    assert wrong_loss_sign(choices([0.1, 0.4, 0.6, 0.9], Op("Mean"), Op("Mul"))) is None
