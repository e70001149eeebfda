import pytest

from stetho.checks.declare import Skip
from stetho.checks.loss.class_weights_inverted import class_weights_inverted
from stetho.checks.run.facts import Loss
from stetho.testing import make_window

COUNTS = [24, 4, 3, 1]


def judged(*weights, counts=COUNTS):
    loss = Loss("cross_entropy", "train.py:31", weight=weights)
    return class_weights_inverted(make_window(losses=[loss], batch={"label_counts": counts}))


def judged_positives(pos_weight, counts):
    loss = Loss("binary_cross_entropy_with_logits", "train.py:31", settings={"pos_weight": pos_weight})
    return class_weights_inverted(make_window(losses=[loss], batch={"label_counts": counts}))


def test_finds_weights_that_are_the_counts():
    found = judged(3.0, 0.5, 0.375, 0.125)
    assert (found.severity, found.where.line) == ("warning", 31)
    assert "class 0 makes 75.0% of the labels and weighs 3" in found.title
    assert found.evidence["power"] == pytest.approx(1)


def test_finds_roots_of_counts():
    assert judged(*(count**0.5 for count in COUNTS)) is not None


def test_stays_quiet_on_weights_against_the_imbalance():
    assert judged(*(1 / count for count in COUNTS)) is None
    assert judged(*(count**-0.5 for count in COUNTS)) is None


def test_stays_quiet_on_equal_weights_and_on_costs_without_order():
    assert judged(1.0, 1.0, 1.0, 1.0) is None
    assert judged(1.0, 5.0, 1.0, 2.0) is None


def test_stays_quiet_on_costs_of_labels_that_are_balanced():
    assert judged(2.0, 1.0, 1.0, 0.5, counts=[10, 8, 8, 6]) is None


def test_finds_a_weight_of_positives_that_is_turned_round():
    assert judged_positives([3 / 29], [29, 3]) is not None
    assert judged_positives([0.1, 0.12, 0.09], [290, 30]) is not None


def test_stays_quiet_on_a_weight_of_positives_that_helps_the_rare():
    assert judged_positives([29 / 3], [29, 3]) is None
    assert judged_positives([0.1], [3, 29]) is None
    assert judged_positives([0.5], [29, 3]) is None


def test_finds_weights_that_the_program_applies_itself():
    window = make_window(
        losses=[], probes={"class_weights": {"weights": [2.4, 0.4, 0.3, None]}}, batch={"label_counts": COUNTS}
    )
    assert class_weights_inverted(window) is not None


def test_is_skipped_without_weights():
    with pytest.raises(Skip, match="no class weights"):
        class_weights_inverted(make_window())


def test_says_nothing_when_labels_were_not_counted():
    assert judged(1.0, 2.0, counts=None) is None


@pytest.mark.parametrize(
    "loss",
    [
        Loss("cross_entropy", phase="eval", weight=(3.0, 0.5, 0.375, 0.125)),
        Loss("mse_loss", weight=(3.0, 0.5, 0.375, 0.125)),
        Loss("binary_cross_entropy_with_logits", phase="eval", settings={"pos_weight": [0.1]}),
        Loss("mse_loss", settings={"pos_weight": [0.1]}),
        Loss("binary_cross_entropy_with_logits"),
    ],
)
def test_is_skipped_for_weights_that_are_not_of_classes_in_training(loss):
    with pytest.raises(Skip):
        class_weights_inverted(make_window(losses=[loss], batch={"label_counts": COUNTS}))


def test_stays_quiet_where_one_class_alone_was_seen():
    assert judged(3.0, 0.5, counts=[24, 0]) is None
