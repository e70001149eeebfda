import numpy as np
import pytest

from stetho.checks.data.labels_sorted import labels_sorted
from stetho.checks.declare import Skip
from stetho.checks.run.facts import Loss, Optimizer
from stetho.testing import make_window

BLOCKS = [np.eye(4, dtype=int)[place // 5 % 4] * 32 for place in range(60)]


def test_finds_one_label_after_the_other() -> None:
    finding = labels_sorted(make_window(batch={"label_counts": BLOCKS}))
    assert (finding.severity, finding.where.line) == ("error", 28)


def test_finds_targets_that_rise() -> None:
    batch = {
        "label_counts": None,
        "counted": None,
        "target_mean": np.tile(np.linspace(-2, 2, 20), 3),
        "target_std": 0.1,
    }
    assert labels_sorted(make_window(losses=[Loss("mse_loss")], batch=batch)) is not None


def test_stays_quiet_on_targets_that_a_model_makes_better_and_better() -> None:
    batch = {"label_counts": None, "counted": None, "target_mean": np.linspace(0, 1, 60), "target_std": 0.25}
    assert labels_sorted(make_window(losses=[Loss("smooth_l1_loss")], batch=batch)) is None


def test_stays_quiet_on_shuffled_labels_and_on_groups_in_random_order() -> None:
    assert labels_sorted(make_window()) is None
    order = np.random.default_rng(0).integers(0, 4, 60)
    assert (
        labels_sorted(make_window(batch={"label_counts": [np.eye(4, dtype=int)[each] * 32 for each in order]})) is None
    )


def test_stays_quiet_on_one_class_only() -> None:
    assert labels_sorted(make_window(batch={"label_counts": [32, 0, 0, 0]})) is None


def test_skips_short_runs_missing_labels_and_adversarial_passes() -> None:
    for given in (
        {"steps": 3},
        {"batch": {"label_counts": None, "target_mean": None}},
        {"batch": {"label_counts": BLOCKS}, "optimizers": [Optimizer(0, "Adam"), Optimizer(1, "Adam")]},
    ):
        with pytest.raises(Skip):
            labels_sorted(make_window(**given))
