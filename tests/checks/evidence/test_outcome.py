"""How good a model is at the end, against a guess."""

import numpy as np
import pytest

from stetho.checks.evidence.outcome import ends_well, error_left
from stetho.checks.run.facts import Loss
from stetho.testing import make_window

TEN = np.full(10, 10.0)


def answers(correct, **more):
    return make_window(steps=60, batch={"label_counts": [TEN] * 60, "correct": correct, "counted": 100.0, **more})


def test_no_error_left_is_perfect_and_a_guess_is_one():
    assert error_left(answers(100.0)) == pytest.approx(0.0)
    assert error_left(answers(10.0)) == pytest.approx(1.0)
    assert ends_well(answers(95.0))
    assert not ends_well(answers(60.0))


def test_only_the_end_counts():
    assert error_left(answers([10.0] * 50 + [100.0] * 10)) == pytest.approx(0.0)


def test_the_end_is_the_last_tenth_of_a_run_that_was_not_looked_at_everywhere():
    steps = np.arange(60) * 100 + 1
    rows = {"label_counts": [TEN] * 60, "correct": [10.0] * 50 + [100.0] * 10, "counted": 100.0, "step": steps}
    window = make_window(steps=60, step={"step": steps}, batch=rows, eval_batch={"label_counts": None})
    assert error_left(window) == pytest.approx(0.0)


def test_one_class_alone_says_nothing():
    only = np.array([100.0, 0.0])
    assert error_left(make_window(batch={"label_counts": [only] * 60, "correct": 100.0, "counted": 100.0})) is None


def squared(loss, reduction="mean"):
    losses = [Loss("mse_loss", line="train.py:5", phase="train", reduction=reduction)]
    return make_window(steps=60, losses=losses, step={"loss": loss}, batch={"target_std": 2.0, "label_counts": None})


def test_a_squared_error_is_seen_against_the_spread_of_the_targets():
    assert error_left(squared(0.2)) == pytest.approx(0.05)
    assert error_left(squared(4.0)) == pytest.approx(1.0)


def test_a_sum_says_nothing():
    assert error_left(squared(0.2, reduction="sum")) is None


def test_answers_that_were_only_seen_early_say_nothing_of_the_end():
    rows = {"label_counts": [TEN] * 60, "correct": 95.0, "counted": 100.0}

    def left(*known):
        counts = [TEN if each else np.zeros(0) for each in known]
        numbers = {name: np.where(known, value, np.nan) for name, value in (("correct", 10.0), ("counted", 100.0))}
        return error_left(make_window(steps=60, batch=rows, eval_batch={"label_counts": counts} | numbers))

    assert left(True, False, False) == pytest.approx(0.05 / 0.9)
    assert left(False, False, True) == pytest.approx(1.0)
