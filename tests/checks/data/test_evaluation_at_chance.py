import numpy as np
import pytest

from stetho.checks.data.evaluation_at_chance import evaluation_at_chance
from stetho.checks.declare import Skip
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
