import numpy as np

from stetho.checks.evidence.labels import (
    clustering,
    has_several_passes,
    is_one_a_sample,
    label_counts,
    labelled,
    majority,
)
from stetho.checks.run.facts import Model, Optimizer
from stetho.testing import make_window


def test_counts_labels_of_batches_with_the_usual_classes() -> None:
    counts = [np.array([16, 16, 0])] * 59 + [np.array([1, 1])]
    found, steps = label_counts(make_window(batch={"label_counts": counts}))
    assert (found.shape, len(steps)) == ((59, 3), 59)


def test_nothing_is_counted_without_labels() -> None:
    window = make_window(batch={"label_counts": None})
    assert label_counts(window)[0].size == 0
    assert majority(window) is None


def test_knows_the_share_of_the_most_frequent_class() -> None:
    assert majority(make_window(batch={"label_counts": [24, 8]})) == 0.75


def test_tells_labels_of_samples_from_labels_of_tokens() -> None:
    assert is_one_a_sample(labelled(make_window()))
    assert not is_one_a_sample(labelled(make_window(batch={"counted": 320})))


def test_random_batches_do_not_cluster() -> None:
    counts = np.random.default_rng(0).multinomial(32, [0.25] * 4, 200).astype(float)
    assert abs(clustering(counts)) < 0.02
    assert clustering(np.array([[32.0, 0.0]])) == 0.0


def test_adversarial_training_has_several_passes() -> None:
    assert not has_several_passes(make_window())
    assert has_several_passes(make_window(optimizers=[Optimizer(0, "Adam"), Optimizer(1, "Adam")]))
    assert has_several_passes(make_window(models=[Model(0, "a"), Model(1, "b")]))
