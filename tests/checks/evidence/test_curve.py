"""How a loss went, in levels that noise does not move."""

import numpy as np
import pytest

from stetho.checks.evidence.curve import Curve, follows_itself, is_adversarial, is_supervised, main_curve, standing
from stetho.checks.run.facts import Loss
from stetho.checks.run.series import Series
from stetho.testing import make_window


def curve(values):
    return Curve(Series(np.arange(1, len(values) + 1), np.asarray(values, float)))


def test_levels_are_medians_that_one_odd_step_does_not_move():
    values = np.linspace(4.0, 2.0, 100)
    calm, odd = curve(values), curve(np.where(np.arange(100) == 50, 1e6, values))
    assert (calm.start, calm.end, calm.fall) == (odd.start, odd.end, odd.fall)
    assert calm.best == odd.best == pytest.approx(calm.levels[-1])
    assert odd.highest < 5


def test_falls_are_relative_and_rises_negative():
    assert curve([8.0] * 5 + [2.0] * 5).fall == pytest.approx(0.75)
    assert curve([2.0] * 5 + [8.0] * 5).fall == pytest.approx(-3)


def test_noise_is_that_of_the_later_half():
    assert curve([100.0, 0.0] * 10 + [1.0, 1.5] * 10).noise == pytest.approx(0.5)


def test_losses_that_are_no_numbers_are_left_out_and_told():
    broken = curve([3.0, 2.0, np.nan, np.inf, np.nan])
    assert (broken.count, broken.first, broken.values.tolist(), broken.ends_finite) == (5, 3.0, [3.0, 2.0], False)
    assert curve([np.nan, 1.0]).ends_finite


def test_nothing_is_known_of_no_losses():
    empty = curve([])
    assert np.isnan([empty.first, empty.start, empty.end, empty.best, empty.noise, empty.highest]).all()
    assert empty.ends_finite


def test_the_main_curve_is_that_of_the_optimizer_which_steps_most_often():
    turns = [0.0, 1.0, 1.0] * 20
    assert main_curve(make_window(step={"optimizer": turns, "loss": turns})).values.tolist() == [1.0] * 40
    assert main_curve(make_window(step={"optimizer": None})).count == 60


def test_optimizers_that_take_turns_are_players_and_those_of_one_backward_pass_are_not():
    turns = [0.0, 1.0] * 30
    assert is_adversarial(make_window(step={"optimizer": turns}))
    assert not is_adversarial(make_window(step={"optimizer": turns, "backwards": [1.0, 0.0] * 30}))
    assert not is_adversarial(make_window())
    assert not is_adversarial(make_window(step={"optimizer": [0.0] * 30 + [1.0] * 30})), "one after the other"


def test_supervised_is_what_compares_with_a_target():
    assert is_supervised(make_window())
    assert not is_supervised(make_window(losses=[Loss("cosine_embedding_loss")]))
    assert not is_supervised(make_window(step={"optimizer": [0.0, 1.0] * 30}))


@pytest.mark.parametrize(
    ("asked", "found", "is_so"),
    [
        ({"model": 1, "looks": 20}, {"model": 1, "cosine": 0.9}, True),
        ({"model": 1, "looks": 20}, {"model": 1, "cosine": 0.1}, False),
        ({"model": 1, "looks": 20}, {"model": 2, "cosine": 0.9}, False),
        ({"model": 1, "looks": 3}, {"model": 1, "cosine": 0.9}, False),
        ({}, {"model": 1, "cosine": 0.9}, False),
    ],
)
def test_targets_of_a_copy_that_is_brought_after_the_model_are_its_own(asked, found, is_so):
    window = make_window(losses=[Loss("smooth_l1_loss")], probes={"following": asked, "lagging": found})
    assert (follows_itself(window), is_supervised(window)) == (is_so, not is_so)


def test_a_loss_stands_that_is_late_what_it_was_early() -> None:
    quick = 0.5 + np.exp(-np.arange(100) / 5)
    assert standing(make_window(steps=100, step={"loss": quick})) == pytest.approx((0.5, 0.5), abs=0.02)
    assert standing(make_window(steps=100, step={"loss": np.geomspace(1, 0.1, 100)})) is None
    assert standing(make_window(steps=20, step={"loss": 1.0})) is None
