"""Answers no better than a guess."""

import numpy as np
import pytest

from stetho.checks.mechanisms.guessing import at_a_guess
from stetho.checks.run.facts import Loss
from stetho.checks.run.series import Series
from stetho.testing import make_window

NUMBERS = {"loss_call": "mse_loss", "target_mean": 0.0, "target_std": 1.0, "label_counts": None}


@pytest.mark.parametrize(("correct", "is_guess"), [(8, True), (30, False)])
def test_answers_are_compared_with_the_most_frequent_label(correct, is_guess):
    window = make_window(steps=200, batch={"correct": correct}, eval_batch={"correct": correct})
    assert (at_a_guess(window, 4, 0.03) is not None) is is_guess


def test_of_a_run_that_was_not_looked_at_everywhere_the_end_counts_all_the_same():
    steps = np.arange(200) * 50 + 1
    right = np.where(np.arange(200) < 130, 8, 30)
    rows = {"correct": right, "step": steps}
    window = make_window(steps=200, step={"step": steps}, batch=rows, eval_batch={"label_counts": None})
    assert at_a_guess(window, 4, 0.5) is None


@pytest.mark.parametrize(("error", "is_guess"), [(1.0, True), (0.4, False)])
def test_errors_are_compared_with_those_of_the_mean(error, is_guess):
    window = make_window(
        losses=[Loss("mse_loss", reduction="mean")],
        batch=NUMBERS,
        eval_batch=NUMBERS,
        metrics={("loss", "eval"): np.full(60, error)},
    )
    assert (at_a_guess(window, 0, 0.03) is not None) is is_guess


@pytest.mark.parametrize(("error", "is_guess"), [(1.0, True), (0.1, False)])
def test_the_loss_of_a_step_may_be_a_sum_of_many_and_is_not_asked(error, is_guess):
    losses = [Loss("mse_loss", reduction="mean")]
    window = make_window(losses=losses, step={"loss": 12.0}, batch=NUMBERS | {"loss": error}, metrics={})
    assert (at_a_guess(window, 0, 0.03) is not None) is is_guess


@pytest.mark.parametrize(("evaluated", "is_guess"), [(np.full(6, 0.43), True), (np.linspace(0.43, 0.3, 6), False)])
def test_errors_that_are_squared_or_not_by_their_size_are_compared_with_their_start(evaluated, is_guess):
    window = make_window(
        losses=[Loss("huber_loss", reduction="mean")],
        batch=NUMBERS,
        eval_batch=NUMBERS,
        step={"loss": 0.42},
        metrics={("loss", "eval"): Series(np.arange(10, 70, 10), evaluated)},
    )
    assert (at_a_guess(window, 0, 0.03) is not None) is is_guess


def test_nothing_is_said_of_other_losses():
    window = make_window(losses=[Loss("kl_div", reduction="mean")], batch=NUMBERS, eval_batch=NUMBERS)
    assert at_a_guess(window, 0, 0.03) is None
