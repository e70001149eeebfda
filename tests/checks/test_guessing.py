"""Answers no better than a guess."""

import numpy as np
import pytest

from stetho.checks.facts import Loss
from stetho.checks.guessing import at_a_guess
from stetho.testing import make_window

NUMBERS = {"loss_call": "mse_loss", "target_mean": 0.0, "target_std": 1.0, "label_counts": None}


@pytest.mark.parametrize(("correct", "is_guess"), [(8, True), (30, False)])
def test_answers_are_compared_with_the_most_frequent_label(correct, is_guess):
    window = make_window(steps=200, batch={"correct": correct}, eval_batch={"correct": correct})
    assert (at_a_guess(window, 4, 0.03) is not None) is is_guess


@pytest.mark.parametrize(("error", "is_guess"), [(1.0, True), (0.4, False)])
def test_errors_are_compared_with_those_of_the_mean(error, is_guess):
    window = make_window(
        losses=[Loss("mse_loss", reduction="mean")],
        batch=NUMBERS,
        eval_batch=NUMBERS,
        metrics={("loss", "eval"): np.full(60, error)},
    )
    assert (at_a_guess(window, 0, 0.03) is not None) is is_guess


def test_nothing_is_said_of_other_losses():
    window = make_window(losses=[Loss("huber_loss", reduction="mean")], batch=NUMBERS, eval_batch=NUMBERS)
    assert at_a_guess(window, 0, 0.03) is None
