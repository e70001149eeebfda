import numpy as np
import pytest

from stetho.checks.data.identical_augmentation import identical_augmentation
from stetho.checks.declare import Skip
from stetho.checks.run.facts import Loader, Model
from stetho.testing import make_window


def workers(**facts: object) -> list[Loader]:
    return [Loader(0, length=4096, workers=2, line="train.py:28", **facts)]  # type: ignore[arg-type]


def test_finds_a_generator_that_every_worker_copies() -> None:
    assert "`rng`" in identical_augmentation(make_window(loaders=workers(own_random="rng"))).title


def test_finds_one_seed_for_all_and_batches_that_come_twice() -> None:
    assert identical_augmentation(make_window(loaders=workers(worker_init=True, one_seed=True))) is not None
    assert identical_augmentation(make_window(loaders=workers(), batch={"hash": np.arange(60) // 2})) is not None


def test_stays_quiet_on_batches_that_differ_and_on_workers_with_seeds() -> None:
    assert identical_augmentation(make_window(loaders=workers())) is None
    assert identical_augmentation(make_window(loaders=workers(own_random="rng", worker_init=True))) is None


def test_stays_quiet_on_one_batch_that_is_always_the_same() -> None:
    assert identical_augmentation(make_window(loaders=workers(), batch={"hash": 5})) is None


def test_skips_loaders_without_workers() -> None:
    with pytest.raises(Skip):
        identical_augmentation(make_window())


def test_finds_a_seed_for_every_sample_and_notes_it_where_all_goes_well() -> None:
    seeded = [Loader(0, dataset="Moved", length=4096, line="train.py:28", fixed_seed="data.py:7")]
    answers = {"label_counts": [np.full(10, 10.0)] * 3, "counted": 100.0}
    for correct, severity in ((40.0, "warning"), (98.0, "note")):
        finding = identical_augmentation(make_window(loaders=seeded, eval_batch=answers | {"correct": correct}))
        assert (finding.severity, finding.where.line) == (severity, 7)


def test_finds_batches_that_are_made_with_one_seed_by_hand() -> None:
    window = make_window(models=[Model(0, "Net", reseeded="train.py:16")], eval_batch={"correct": 10.0})
    assert identical_augmentation(window).where.line == 16


def test_finds_views_that_are_the_same() -> None:
    found = identical_augmentation(make_window(probes={"views": {"looks": 20, "same": 20, "line": "train.py:12"}}))
    assert "to the last bit" in found.title
    assert found.where.line == 12


def test_stays_quiet_on_views_that_differ() -> None:
    with pytest.raises(Skip):
        identical_augmentation(make_window(probes={"views": {"looks": 20, "same": 3, "line": "train.py:12"}}))


def test_points_at_the_seed_that_all_workers_get() -> None:
    given = {"train.py:28": {"worker seed": "train.py:5"}}
    window = make_window(loaders=workers(worker_init=True, one_seed=True), given=given)
    assert identical_augmentation(window).where.line == 5
