"""Rules that hold in training alone."""

import pytest

from stetho.checks.mechanisms.another_rule import another_rule
from stetho.testing import make_window

LABELS = {"samples": 1000, "classes": 4, "held": 0.9, "chance": 0.3, "evaluated": 0.28, "evaluated_chance": 0.3,
          "evaluated_samples": 300}  # fmt: skip
NUMBERS = LABELS | {"classes": 0, "held": 0.8, "chance": 0.0, "evaluated": 0.05, "evaluated_chance": 0.0}
UNKNOWN = {"label_counts": None}


def judged(rule, lines=None, **evaluated):
    window = make_window(probes={"rule": rule}, lines=lines or {}, batch=UNKNOWN, eval_batch=UNKNOWN | evaluated)
    return another_rule(window, 0.15, 0.03)


def test_finds_labels_that_no_longer_belong_to_their_inputs():
    found = judged(LABELS, {"evaluation data": ["eval.py:7"]})
    assert "90.0% of its answers" in found.title
    assert found.where.line == 7


def test_finds_numbers():
    assert "correlation with the target is 0.80" in judged(NUMBERS).title


def test_names_the_line_that_reorders_one_array_alone():
    assert judged(NUMBERS, {"reordered": ["data.py:3"], "evaluation data": ["eval.py:7"]}).where.line == 3


@pytest.mark.parametrize(
    "changed",
    [
        {"evaluated": 0.6},
        {"held": 0.5},
        {"evaluated_samples": 60},
        {"evaluated_chance": 0.85, "evaluated": 0.6},
        {"chance": 0.85},
        {"samples": 30},
    ],
)
def test_stays_quiet_where_the_rule_holds_or_says_little(changed):
    assert judged(LABELS | changed) is None


@pytest.mark.parametrize("changed", [{"evaluated": 0.4}, {"held": 0.3}, {"evaluated_samples": 0}])
def test_stays_quiet_for_numbers_as_well(changed):
    assert judged(NUMBERS | changed) is None


def test_stays_quiet_where_the_model_answers_well():
    answers = {"label_counts": [25, 25, 25, 25], "correct": 90, "counted": 100}
    window = make_window(probes={"rule": LABELS}, eval_batch=answers)
    assert another_rule(window, 0.15, 0.03) is None


def test_stays_quiet_where_data_of_another_kind_are_asked_on_purpose():
    assert judged(LABELS, mean=[0.0, 5.0, 0.0], std=1.0, loader=float("nan")) is None
    assert judged(LABELS, mean=5.0, std=1.0, loader=float("nan")) is not None


def test_stays_quiet_without_a_rule():
    assert another_rule(make_window(), 0.15, 0.03) is None
