import numpy as np
import pytest

from stetho.checks.mechanisms.used_up import used_up
from stetho.checks.run.facts import Scheduler
from stetho.testing import make_window

STOPPED = np.maximum(2.0 - np.arange(300) / 40, 1.2)
LEARNT = np.where(np.arange(300) < 8, 2.0 - np.arange(300) / 10, 1.2)
FALLING_TENFOLD = 0.1 * 0.1 ** (np.arange(300) // 30)


def judged(rates=FALLING_TENFOLD, losses=STOPPED, kind="ExponentialLR", **given):
    """Ten epochs of thirty steps."""
    columns = {"lr": list(rates), "loss": list(losses)} | given.pop("step", {})
    scheduler = Scheduler(kind, "train.py:4")
    return used_up(make_window(steps=len(rates), step=columns, schedulers=[scheduler], **given), 1e-3, 0.5)


def test_finds_a_rate_that_goes_while_the_loss_falls():
    found = judged()
    assert (found.where.line, found.steps.first) == (4, 121)
    assert "from 0.1 to 1e-10" in found.title
    assert "stands at 1.2 of" in found.title


def test_stays_quiet_if_the_loss_stood_before_the_rate_went():
    assert judged(losses=LEARNT) is None


def test_stays_quiet_on_a_rate_that_lasts_for_half_of_the_run():
    assert judged(0.1 * 0.4 ** (np.arange(300) // 30)) is None
    assert judged(np.full(300, 0.1)) is None


def test_stays_quiet_on_a_rate_that_comes_back():
    warm_again = np.where(np.arange(300) < 200, FALLING_TENFOLD, 0.1)
    assert judged(warm_again) is None


def test_stays_quiet_on_a_rate_that_is_low_only_before_it_warms_up():
    assert judged(np.where(np.arange(300) < 100, 1e-5, 0.1)) is None


def test_a_schedule_that_waits_for_a_plateau_is_left_to_itself():
    assert judged(kind="ReduceLROnPlateau") is None


def test_players_that_take_turns_have_no_loss_that_must_fall():
    assert judged(step={"optimizer": [n % 2 for n in range(300)]}) is None


@pytest.mark.parametrize(("right", "is_found"), [(60, True), (98, False)])
def test_a_model_that_is_good_already_needs_no_longer_schedule(right, is_found):
    answers = {"label_counts": [[50, 50]] * 300, "correct": right, "counted": 100}
    assert (judged(batch=answers, eval_batch={"label_counts": None}) is not None) == is_found


@pytest.mark.parametrize(("steps", "is_found"), [(40, False), (60, True)])
def test_few_steps_tell_nothing(steps, is_found):
    numbers = np.arange(steps)
    found = judged(np.where(numbers < 18, 0.1, 1e-6), np.maximum(2.0 - numbers / 20, 1.2))
    assert (found is not None) == is_found


def test_half_of_the_run_is_half_of_its_steps_and_not_of_the_rows():
    assert judged(step={"step": [*range(1, 121), *range(1021, 1201)]}) is None, "the rate was there for 1,020 steps"
