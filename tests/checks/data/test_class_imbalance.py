import pytest

from stetho.checks.data.class_imbalance import class_imbalance
from stetho.checks.declare import Skip
from stetho.checks.run.facts import Loss
from stetho.testing import make_window

RARE = {"label_counts": [31, 1]}


def test_finds_a_model_that_says_the_frequent_class_only() -> None:
    assert class_imbalance(make_window(batch=RARE | {"correct": 31})).severity == "warning"


def test_is_a_note_when_rare_classes_are_found() -> None:
    assert (
        class_imbalance(
            make_window(batch=RARE | {"correct": 32}, info={"metrics": {"train": {"recall": 1.0}}})
        ).severity
        == "note"
    )


def test_stays_quiet_on_even_classes_and_with_weights() -> None:
    assert class_imbalance(make_window()) is None
    assert class_imbalance(make_window(batch=RARE, losses=[Loss("cross_entropy", weight=(1.0, 30.0))])) is None


def test_stays_quiet_on_few_labels_and_on_one_class() -> None:
    assert class_imbalance(make_window(steps=4, batch={"label_counts": [3, 1], "counted": 4, "size": 4})) is None
    assert class_imbalance(make_window(batch={"label_counts": [32, 0]})) is None


def test_skips_labels_of_tokens_and_missing_ones() -> None:
    for batch in (RARE | {"counted": 320}, {"label_counts": None}):
        with pytest.raises(Skip):
            class_imbalance(make_window(batch=batch))


def test_without_a_loader_the_loss_is_named_that_would_get_weights() -> None:
    losses = [Loss("binary_cross_entropy_with_logits", "train.py:30", constructed="train.py:27")]
    window = make_window(batch=RARE | {"correct": 31}, losses=losses, loaders=[])
    assert class_imbalance(window).where.line == 27


def test_stays_quiet_where_the_positive_class_has_a_weight() -> None:
    weighed = Loss("binary_cross_entropy_with_logits", settings={"pos_weight": [31.0]})
    assert class_imbalance(make_window(batch=RARE | {"correct": 28}, losses=[weighed])) is None


def test_recall_of_the_evaluation_counts_where_there_is_none_of_the_training() -> None:
    found = [
        class_imbalance(make_window(batch=RARE | {"correct": 29}, info={"metrics": {"eval": {"recall": recall}}}))
        for recall in (0.84, 0.5)
    ]
    assert [each.severity for each in found] == ["note", "warning"]
