import pytest

from stetho.checks.mechanisms.leftover import leftover
from stetho.checks.run.facts import LossGraph
from stetho.testing import make_window


def judged(cosines, steps=20, graphs=(), through=True):
    found = {
        "through_others": through,
        "optimizer": 0,
        "steps": steps,
        "cosines": cosines,
        "left_at": "gan.py:50",
        "used_at": "gan.py:56",
    }
    return leftover(make_window(probes={"leftovers": found}, loss_graphs=graphs))


def test_finds_gradients_of_an_adversary():
    found = judged([-0.8] * 19)
    assert "19 of 20 steps" in found.title
    assert found.where.line == 50


def test_points_at_the_loss_that_left_them():
    assert judged([-0.8] * 19, graphs=[LossGraph("gan.py:50", made="gan.py:49")]).where.line == 49


def test_points_at_the_backward_pass_that_should_have_begun_with_zeros():
    graphs = [LossGraph("gan.py:56", made="gan.py:55")]
    assert judged([-0.8] * 19, graphs=graphs, through=False).where.line == 56


@pytest.mark.parametrize("cosines", [[0.7] * 20, [-0.8] * 3, [-0.8] * 8, []])
def test_stays_quiet_on_losses_that_agree_and_on_few(cosines):
    assert judged(cosines) is None


def test_stays_quiet_without_leftovers():
    assert leftover(make_window()) is None
