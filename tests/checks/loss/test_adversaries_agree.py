from dataclasses import replace

import numpy as np
import pytest

from stetho.checks.declare import Skip
from stetho.checks.loss.adversaries_agree import adversaries_agree
from stetho.checks.run.facts import Loss, Optimizer
from stetho.testing import make_window

SIDES = [Optimizer(0, "Adam"), Optimizer(1, "Adam")]
FALLS, STAYS = np.geomspace(1.4, 1e-4, 100), np.full(100, 0.7)


def judge(line, target, high=None):
    return Loss(
        "binary_cross_entropy_with_logits", line=line, target_low=target, target_high=target if high is None else high
    )


JUDGED = (judge("gan.py:41", 1.0), judge("gan.py:48", 0.0))


def players(one, other, losses=JUDGED):
    turns = {"optimizer": [0, 1] * 100, "loss": np.ravel(np.column_stack([one, other]))}
    return make_window(steps=200, step=turns, optimizers=SIDES, losses=list(losses))


def test_finds_a_generator_that_is_taught_to_be_recognised():
    found = adversaries_agree(players(FALLS, FALLS / 2))
    assert (found.severity, found.where.line) == ("error", 48)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(FALLS, 1 / FALLS, id="the judge wins"),
        pytest.param(STAYS, STAYS, id="a balance"),
        pytest.param(STAYS, FALLS, id="the judge sleeps"),
    ],
)
def test_stays_quiet_on_a_contest(one, other):
    assert adversaries_agree(players(one, other)) is None


def test_is_skipped_for_two_optimizers_with_tasks_of_their_own():
    with pytest.raises(Skip, match="not those of a judge"):
        adversaries_agree(players(FALLS, FALLS, (judge("a.py:1", 0.0, 1.0), judge("a.py:2", 0.0, 1.0))))


def test_is_skipped_for_one_optimizer():
    with pytest.raises(Skip):
        adversaries_agree(make_window())


@pytest.mark.parametrize(
    "losses",
    [
        pytest.param(JUDGED[:1], id="one judgement alone"),
        pytest.param([replace(each, call="l1_loss") for each in JUDGED], id="no judgement"),
        pytest.param([replace(each, phase="eval") for each in JUDGED], id="of the evaluation"),
        pytest.param([replace(each, target_low=None, target_high=None) for each in JUDGED], id="of unknown targets"),
    ],
)
def test_is_skipped_where_nobody_is_judged(losses):
    with pytest.raises(Skip, match="not those of a judge"):
        adversaries_agree(players(FALLS, FALLS, losses))


def test_is_skipped_for_few_losses_and_for_three_sides():
    few = {"optimizer": [0, 1] * 20, "loss": np.repeat(FALLS[::5], 2)}
    with pytest.raises(Skip, match="two sides with 30 losses"):
        adversaries_agree(make_window(steps=40, step=few, optimizers=SIDES, losses=list(JUDGED)))
    three = {"optimizer": [0, 1, 2] * 60, "loss": np.repeat(FALLS[:60], 3)}
    with pytest.raises(Skip, match="two sides"):
        adversaries_agree(
            make_window(steps=180, step=three, optimizers=[*SIDES, Optimizer(2, "Adam")], losses=list(JUDGED))
        )


def test_stays_quiet_on_losses_below_zero():
    assert adversaries_agree(players(FALLS, FALLS - 0.5)) is None
