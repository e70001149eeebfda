import pytest

from stetho.checks.declare import Skip
from stetho.checks.loop.step_before_backward import step_before_backward
from stetho.testing import make_window


def test_finds_a_backward_pass_behind_its_step():
    order = ["zero_grad forward step", *["backward zero_grad forward step"] * 19]
    found = step_before_backward(make_window(steps=20, order=order))
    assert (found.severity, found.where.line, found.steps.first) == ("error", 33, 2)
    assert "19 of 20" in found.title


def test_finds_gradients_that_are_thrown_away_before_a_step_that_comes_too_early():
    order = ["zero_grad step", *["backward zero_grad step"] * 19]
    assert step_before_backward(make_window(steps=20, order=order)) is not None
    assert step_before_backward(make_window(steps=20, order=["forward backward zero_grad step"] * 20)) is None


def test_stays_quiet_on_the_usual_order():
    assert step_before_backward(make_window()) is None


def test_stays_quiet_on_two_optimizers_that_step_in_turn():
    order = ["forward backward step", "backward forward step"] * 10
    assert step_before_backward(make_window(steps=20, order=order)) is None


def test_stays_quiet_on_a_pass_for_the_next_step_that_is_made_early():
    first, later = "forward backward forward step", "backward forward step"
    assert step_before_backward(make_window(steps=20, order=[first, *[later] * 19])) is None


def test_is_skipped_after_few_steps():
    with pytest.raises(Skip, match="4 steps, 5 are needed"):
        step_before_backward(make_window(steps=4))
