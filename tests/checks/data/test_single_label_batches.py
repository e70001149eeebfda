import numpy as np
import pytest

from stetho.checks.data.single_label_batches import single_label_batches
from stetho.checks.declare import Skip
from stetho.checks.run.facts import Loss, Optimizer
from stetho.testing import make_window

ORDER = np.random.default_rng(0).integers(0, 4, 60)
SINGLE = [np.eye(4, dtype=int)[each] * 32 for each in ORDER]


def test_finds_batches_of_one_label() -> None:
    finding = single_label_batches(make_window(batch={"label_counts": SINGLE}))
    assert (finding.severity, finding.evidence["share"]) == ("error", 1.0)


def test_stays_quiet_on_mixed_batches_and_on_one_class_only() -> None:
    assert single_label_batches(make_window()) is None
    assert single_label_batches(make_window(batch={"label_counts": [32, 0, 0, 0]})) is None


def test_stays_quiet_on_batches_of_one_sample() -> None:
    tiny = [np.eye(4, dtype=int)[each] for each in ORDER]
    assert single_label_batches(make_window(batch={"label_counts": tiny, "size": 1, "counted": 1})) is None


def test_skips_short_runs_many_labels_and_adversarial_passes() -> None:
    for given in (
        {"steps": 3},
        {"batch": {"label_counts": None}},
        {"batch": {"label_counts": SINGLE, "counted": 320}},
        {"batch": {"label_counts": SINGLE}, "optimizers": [Optimizer(0, "Adam"), Optimizer(1, "Adam")]},
    ):
        with pytest.raises(Skip):
            single_label_batches(make_window(**given))


def test_points_at_labels_that_are_made_for_each_batch() -> None:
    losses = [Loss("cross_entropy", "train.py:30", "train", target_made="train.py:7")]
    window = make_window(batch={"label_counts": SINGLE}, loaders=[], losses=losses)
    assert single_label_batches(window).where.line == 7
