import pytest

from stetho.checks.declare import Skip
from stetho.checks.loop.clip_after_step import clip_after_step
from stetho.testing import make_window

LATE = "clip zero_grad forward backward step"
RIGHT = "zero_grad forward backward clip step"


@pytest.mark.parametrize("event", ["clip", "clip_value"])
def test_finds_clipping_between_the_step_and_the_next_backward_pass(event):
    found = clip_after_step(make_window(steps=20, order=LATE.replace("clip", event), lines={"clip": ["train.py:34"]}))
    assert (found.severity, found.where.line) == ("error", 34)
    assert "20 of 20" in found.title


def test_the_first_step_cannot_show_it():
    assert clip_after_step(make_window(steps=20, order=["zero_grad forward backward step", *[LATE] * 19])) is not None


def test_stays_quiet_on_clipping_before_the_step():
    assert clip_after_step(make_window(order=RIGHT)) is None


def test_stays_quiet_when_most_steps_are_right():
    assert clip_after_step(make_window(steps=20, order=[*[RIGHT] * 10, *[LATE] * 10])) is None


def test_stays_quiet_with_two_optimizers_that_clip_in_turn():
    assert clip_after_step(make_window(order="zero_grad forward backward clip clip step")) is None


@pytest.mark.parametrize(("steps", "order"), [(20, "zero_grad forward backward step"), (4, LATE)])
def test_is_skipped_when_hardly_anything_is_clipped(steps, order):
    with pytest.raises(Skip, match="no gradients are clipped"):
        clip_after_step(make_window(steps=steps, order=order))
