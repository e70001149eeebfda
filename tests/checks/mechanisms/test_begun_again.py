import numpy as np

from stetho.checks.mechanisms.begun_again import begins_a_training, ends_a_trial_of_rates, is_back_at_start, losing
from stetho.testing import make_window


def two_trainings(middle, length=40, optimizers=(0.0, 1.0)):
    """The loss falls from 2.3 over `middle` to 0.2, and then the same once more."""
    one = np.interp(np.arange(length), [0, length // 3, length - 1], [2.3, middle, 0.2])
    step = {"loss": np.concatenate([one, one]), "optimizer": np.repeat(optimizers, length)}
    return make_window(steps=2 * length, step=step)


def test_another_training_begins_with_an_optimizer_of_its_own_after_one_that_has_come_to_its_end():
    assert begins_a_training(two_trainings(middle=0.21), 41)


def test_a_loss_that_still_falls_has_not_come_to_its_end():
    assert not begins_a_training(two_trainings(middle=1.6), 41)
    assert not begins_a_training(two_trainings(middle=0.21, length=20), 21)


def test_the_same_optimizer_goes_on_with_the_same_training():
    assert not begins_a_training(two_trainings(middle=0.21, optimizers=(0.0, 0.0)), 41)
    assert not begins_a_training(two_trainings(middle=0.21), 31)


def test_a_loss_is_back_at_its_start_where_most_of_its_fall_is_lost():
    assert is_back_at_start(two_trainings(middle=0.5), 41)
    assert not is_back_at_start(two_trainings(middle=0.5), 30)


def rates(*parts):
    return make_window(steps=sum(map(len, parts)), step={"lr": np.concatenate(parts)})


def test_rates_that_rise_far_and_fall_again_were_tried():
    swept = rates(np.full(10, 0.05), np.geomspace(1e-4, 1.0, 30), np.full(20, 0.05))
    assert ends_a_trial_of_rates(swept, 41)
    assert not ends_a_trial_of_rates(swept, 31)
    assert not ends_a_trial_of_rates(swept, 50)


def test_a_warm_up_and_a_schedule_try_no_rates():
    assert not ends_a_trial_of_rates(rates(np.linspace(0.01, 0.1, 20), np.linspace(0.1, 0.01, 20)), 22)
    assert not ends_a_trial_of_rates(rates(np.full(40, 0.1)), 21)
    assert not ends_a_trial_of_rates(rates(np.geomspace(1e-4, 1.0, 30)), 30)


def test_exchanges_lose_what_was_learnt_only_where_many_of_them_do():
    window = two_trainings(middle=0.5)
    assert losing(window, [20, 41]) == [41]
    assert losing(window, [10, 15, 20, 25, 30, 41]) == []
