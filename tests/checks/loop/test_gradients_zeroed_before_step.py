import pytest

from stetho.checks.declare import Skip
from stetho.checks.loop.gradients_zeroed_before_step import gradients_zeroed_before_step
from stetho.testing import make_window

WRONG = "forward backward zero_grad step"


def test_finds_a_step_without_gradients_behind_a_zeroing():
    found = gradients_zeroed_before_step(make_window(order=WRONG, step={"grad_norm": None}))
    assert (found.severity, found.where.line, found.steps.count) == ("error", 30, 60)


def test_zeros_are_no_gradients_either():
    assert gradients_zeroed_before_step(make_window(order=WRONG, step={"grad_norm": 0.0})) is not None


def test_stays_quiet_on_the_usual_orders():
    assert gradients_zeroed_before_step(make_window()) is None
    assert gradients_zeroed_before_step(make_window(order="forward backward step zero_grad")) is None


def test_stays_quiet_when_another_optimizer_is_zeroed():
    assert gradients_zeroed_before_step(make_window(order=WRONG)) is None


def test_stays_quiet_when_no_gradient_was_measured():
    assert gradients_zeroed_before_step(make_window(order=WRONG, step={"grad_norm": None, "tier": "clock"})) is None


def test_is_skipped_after_few_steps():
    with pytest.raises(Skip, match="4 steps with a backward pass, 5 are needed"):
        gradients_zeroed_before_step(make_window(steps=4, order=WRONG, step={"grad_norm": None}))


NAMES = ("fc1.weight", "fc1.bias", "fc2.weight", "fc2.bias")


def test_finds_gradients_that_are_taken_away_by_hand():
    zeros = {(name, "grad.rms"): 0.0 for name in NAMES}
    found = gradients_zeroed_before_step(make_window(step={"grad_norm": 0.0}, stats=zeros))
    assert "backward brought gradients to 2 layers" in found.title


def test_stays_quiet_when_no_gradient_came_or_it_is_no_number():
    zeros = {(name, "grad.rms"): 0.0 for name in NAMES}
    none_came = zeros | {("fc1", "act_grad.rms"): 0.0, ("fc2", "act_grad.rms"): 0.0}
    assert gradients_zeroed_before_step(make_window(step={"grad_norm": 0.0}, stats=none_came)) is None
    lost = {(name, "grad.rms"): float("nan") for name in NAMES}
    assert gradients_zeroed_before_step(make_window(step={"grad_norm": None}, stats=lost)) is None


def test_points_at_the_zeroing_behind_the_backward_pass():
    lines = {"zero_grad": ["train.py:20"], "backward": ["train.py:32"]}
    given = {"train.py:32": {"emptied": "train.py:33"}}
    found = gradients_zeroed_before_step(make_window(order=WRONG, step={"grad_norm": None}, lines=lines, given=given))
    assert found.where.line == 33
