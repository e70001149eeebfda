import numpy as np
import pytest

from stetho.checks.data.target_not_scaled import target_not_scaled
from stetho.checks.declare import Skip
from stetho.checks.run.facts import Loss
from stetho.testing import make_window

PRICES = {"loss_call": "mse_loss", "target_mean": 2e5, "target_std": 5e4}
MSE = [Loss("mse_loss", "train.py:31")]


def test_finds_targets_that_are_not_reached() -> None:
    finding = target_not_scaled(make_window(losses=MSE, batch=PRICES, step={"loss": 4e10}))
    assert (finding.severity, finding.where.line) == ("warning", 31)


def test_finds_a_loss_that_is_not_finite() -> None:
    losses = np.where(np.arange(60) < 3, 4e10, np.inf)
    assert target_not_scaled(make_window(losses=MSE, batch=PRICES, step={"loss": losses})).severity == "warning"


def test_a_loss_that_never_was_finite_is_not_that_of_the_targets() -> None:
    assert target_not_scaled(make_window(losses=MSE, batch=PRICES, step={"loss": np.inf})) is None
    huge = PRICES | {"target_mean": 1e20}
    assert target_not_scaled(make_window(losses=MSE, batch=huge, step={"loss": np.inf})) is not None


def test_is_a_note_when_it_trains_all_the_same() -> None:
    assert (
        target_not_scaled(make_window(losses=MSE, batch=PRICES, step={"loss": np.geomspace(4e10, 1e7, 60)})).severity
        == "note"
    )


def test_stays_quiet_on_usual_targets_and_on_moderate_ones_that_are_learnt() -> None:
    for size, loss in ((1.0, 0.9), (50.0, 20.0)):
        batch = PRICES | {"target_mean": size, "target_std": size}
        assert target_not_scaled(make_window(losses=MSE, batch=batch, step={"loss": loss})) is None


def test_stays_quiet_on_a_sum() -> None:
    assert (
        target_not_scaled(make_window(losses=[Loss("mse_loss", reduction="sum")], batch=PRICES, step={"loss": 4e12}))
        is None
    )


def test_skips_classifications() -> None:
    with pytest.raises(Skip):
        target_not_scaled(make_window())
