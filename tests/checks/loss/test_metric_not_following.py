import numpy as np
import pytest

from stetho.checks.declare import Skip
from stetho.checks.facts import Optimizer
from stetho.checks.loss.metric_not_following import metric_not_following
from stetho.testing import make_window

FALLING = np.linspace(2.0, 0.2, 200)


def test_finds_an_accuracy_that_stays_at_chance() -> None:
    assert metric_not_following(make_window(steps=200, step={"loss": FALLING, "accuracy": 0.26})).severity == "warning"


def test_stays_quiet_when_the_accuracy_rises_or_is_high_already() -> None:
    assert metric_not_following(make_window(steps=200, step={"loss": FALLING})) is None
    counts = {"label_counts": [31, 1], "counted": 32}
    assert metric_not_following(make_window(steps=200, batch=counts, step={"loss": FALLING, "accuracy": 1.0})) is None


def test_stays_quiet_when_the_loss_does_not_fall() -> None:
    assert metric_not_following(make_window(steps=200, step={"loss": 1.4, "accuracy": 0.25})) is None


def test_skips_short_runs_several_optimizers_and_uncounted_labels() -> None:
    for given in (
        {"steps": 20},
        {"steps": 200, "step": {"accuracy": np.nan}},
        {"steps": 200, "optimizers": [Optimizer(0, "Adam"), Optimizer(1, "Adam")]},
        {"steps": 200, "batch": {"label_counts": None}},
    ):
        with pytest.raises(Skip):
            metric_not_following(make_window(**given))
