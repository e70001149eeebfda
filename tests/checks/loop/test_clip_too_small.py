import numpy as np
import pytest

from stetho.checks.declare import Skip
from stetho.checks.loop.clip_too_small import clip_too_small
from stetho.checks.run.facts import Optimizer
from stetho.testing import make_window

PARAMETERS = ("fc1.weight", "fc1.bias", "fc2.weight", "fc2.bias")
STILL = {(name, "update.ratio"): 1e-6 for name in PARAMETERS}
SGD = [Optimizer(0, "SGD")]
CLIPPED = "zero_grad forward backward clip step"


def clipped(norm=5.0, limit=0.001, stats=STILL, optimizers=SGD, order=CLIPPED):
    return make_window(order=order, step={"clip_norm": norm, "clip_max": limit}, stats=stats, optimizers=optimizers)


def test_finds_a_limit_far_below_every_norm():
    found = clip_too_small(clipped())
    assert (found.severity, found.evidence["limit"]) == ("error", pytest.approx(0.001))
    assert "5000 times less" in found.title


def test_finds_elements_that_are_nearly_all_at_the_limit():
    at_limit = STILL | {(name, "grad.rms"): 0.9e-4 for name in PARAMETERS}
    order = "zero_grad forward backward clip_value step"
    assert clip_too_small(clipped(norm=None, limit=1e-4, stats=at_limit, order=order)) is not None


def test_stays_quiet_on_a_limit_for_rare_large_gradients():
    assert clip_too_small(clipped(norm=[100.0 if step % 20 == 0 else 0.5 for step in range(60)], limit=1.0)) is None


def test_stays_quiet_when_the_weights_move_all_the_same():
    assert clip_too_small(clipped(stats={})) is None


def test_stays_quiet_with_adam():
    assert clip_too_small(clipped(optimizers=[Optimizer(0, "Adam")])) is None


def test_one_of_two_optimizers_is_enough():
    assert clip_too_small(clipped(optimizers=[Optimizer(0, "Adam"), Optimizer(1, "SGD")])) is not None


def test_is_skipped_without_clipping():
    with pytest.raises(Skip, match="no gradients are clipped"):
        clip_too_small(make_window())


def test_points_at_where_the_limit_is_written():
    settings = {"step": {"clip_norm": 5.0, "clip_max": 0.001}, "stats": STILL, "optimizers": SGD, "order": CLIPPED}
    lines, given = {"clip": ["train.py:9"]}, {"train.py:9": {"max_norm": "train.py:2"}}
    assert clip_too_small(make_window(**settings, lines=lines, given=given)).where.line == 2
    assert clip_too_small(make_window(**settings, lines=lines)).where.line == 9


@pytest.mark.parametrize(("last", "is_found"), [(2.2, True), (0.5, False)])
def test_small_updates_are_too_small_where_the_loss_hardly_comes_down(last: float, is_found: bool):
    slow = {(name, "update.ratio"): 5e-4 for name in PARAMETERS}
    course = {"clip_norm": 5.0, "clip_max": 0.001, "loss": np.linspace(2.3, last, 60)}
    window = make_window(order=CLIPPED, step=course, stats=slow, optimizers=SGD)
    assert (clip_too_small(window) is not None) == is_found
