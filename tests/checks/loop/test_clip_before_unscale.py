import pytest

from stetho.checks.declare import Skip
from stetho.checks.loop.clip_before_unscale import clip_before_unscale
from stetho.testing import make_window

SCALED = {"clip_norm": 100.0, "clip_max": 1.0, "loss_scale": 65536.0}
WRONG = "zero_grad forward backward clip unscale step"
RIGHT = "zero_grad forward backward unscale clip step"


@pytest.mark.parametrize("order", [WRONG, "zero_grad forward backward clip step"])
def test_finds_scaled_gradients_that_are_clipped(order):
    found = clip_before_unscale(make_window(order=order, step=SCALED, lines={"clip": ["train.py:40"]}))
    assert (found.severity, found.where.line) == ("error", 40)
    assert "65536" in found.title


def test_stays_quiet_when_they_are_unscaled_first():
    assert clip_before_unscale(make_window(order=RIGHT, step=SCALED)) is None


def test_stays_quiet_when_a_few_steps_only_are_wrong():
    assert clip_before_unscale(make_window(steps=20, order=[*[RIGHT] * 15, *[WRONG] * 5], step=SCALED)) is None


@pytest.mark.parametrize("scale", [None, 1.0])
def test_is_skipped_without_a_scale(scale):
    with pytest.raises(Skip, match="no gradients are clipped under a gradient scaler"):
        clip_before_unscale(make_window(order=WRONG, step=SCALED | {"loss_scale": scale}))


def test_is_skipped_without_clipping():
    with pytest.raises(Skip, match="no gradients are clipped"):
        clip_before_unscale(make_window(step={"loss_scale": 65536.0}))


def test_values_are_clipped_too():
    order = WRONG.replace("clip", "clip_value")
    found = clip_before_unscale(make_window(order=order, step=SCALED, lines={"clip_value": ["train.py:41"]}))
    assert found.where.line == 41
    assert clip_before_unscale(make_window(order=RIGHT.replace("clip", "clip_value"), step=SCALED)) is None
