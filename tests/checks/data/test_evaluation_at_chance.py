import numpy as np
import pytest

from stetho.checks.data.evaluation_at_chance import evaluation_at_chance
from stetho.checks.declare import Skip
from stetho.checks.run.facts import Loader
from stetho.testing import make_window

RISING = np.minimum(50 + 2 * np.arange(60), 98)


def answered(train=RISING, evaluated=51, *, come_again=True, labels=(50, 50), size=100):
    """Six passes over 1000 samples, each with a number of its own, or samples that all look alike."""
    numbers = [np.arange(100) + 100 * (step % 10) if come_again else np.zeros(100, int) for step in range(60)]
    counts = [list(labels)] * 60
    batch = {"label_counts": counts, "correct": train, "counted": 100, "samples": numbers, "size": 100}
    given = {"label_counts": [list(labels)] * 3, "correct": evaluated, "counted": 100, "size": size}
    return make_window(batch=batch, eval_batch=given)


@pytest.mark.parametrize("come_again", [True, False])
def test_finds_evaluated_samples_that_follow_another_rule(come_again):
    found = evaluation_at_chance(answered(np.full(60, 90), come_again=come_again))
    assert found.severity == "warning"
    assert "90.0% of the answers for training samples" in found.title


def test_stays_quiet_when_evaluated_samples_are_answered_too():
    assert evaluation_at_chance(answered(np.full(60, 90), evaluated=85)) is None


def test_stays_quiet_when_only_samples_that_came_before_are_right():
    by_heart = np.where(np.arange(60) < 10, 50, 99)
    assert evaluation_at_chance(answered(by_heart)) is None


def test_stays_quiet_where_one_class_has_nearly_all():
    assert evaluation_at_chance(answered(np.full(60, 99), 90, labels=(90, 10))) is None


def test_is_skipped_without_answers_in_evaluation():
    with pytest.raises(Skip):
        evaluation_at_chance(make_window(eval_batch={"label_counts": None}))


def test_is_skipped_for_labels_of_places_in_a_sequence():
    with pytest.raises(Skip, match="more than one label"):
        evaluation_at_chance(answered(np.full(60, 90), size=10))


def in_another_order(own: float, loaders: list[Loader]):  # type: ignore[no-untyped-def]
    gathered = {"compared": 0.2, "own": own, "count": 300, "line": "train.py:50"}
    return evaluation_at_chance(
        make_window(probes={"gathered": gathered}, loaders=loaders, eval_batch={"loader": 1, "loss": 1.0})
    )


def test_finds_answers_that_are_compared_in_another_order() -> None:
    loaders = [Loader(0, line="train.py:9", shuffled=True), Loader(1, line="train.py:10", shuffled=True)]
    found = in_another_order(0.9, loaders)
    assert found.where.line == 10
    assert "another order" in found.title


def test_points_at_the_comparison_where_one_line_makes_all_loaders() -> None:
    loaders = [Loader(0, line="train.py:9", shuffled=True), Loader(1, line="train.py:9", shuffled=True)]
    assert in_another_order(0.9, loaders).where.line == 50


def test_finds_a_rule_that_holds_in_training_alone_without_asking_the_model():
    rule = {"samples": 900, "classes": 2, "held": 0.95, "chance": 0.5, "evaluated": 0.5, "evaluated_chance": 0.5}
    window = make_window(probes={"rule": rule | {"evaluated_samples": 300}}, eval_batch={"label_counts": None},
                         batch={"label_counts": None})  # fmt: skip
    assert "a simple rule" in evaluation_at_chance(window).title
