import numpy as np

from stetho.checks.evidence.sudden import data_jump, is_thrown_by_a_batch, jump
from stetho.checks.run.series import Series
from stetho.testing import make_window


def test_measures_a_value_against_the_steps_before_it() -> None:
    series = Series(np.arange(1, 12), np.append(np.ones(10), 7.0))
    assert jump(series, 11, 11) == 7.0
    assert jump(series, 3, 3) == 1.0
    assert jump(None, 3, 3) == 1.0


def test_targets_count_as_data() -> None:
    spread = np.ones(60)
    spread[40] = 50.0
    window = make_window(batch={"std": 1.0, "max": 2.0, "target_std": spread})
    assert data_jump(window, 41) == 50.0
    assert data_jump(window, 40) == 1.0


def test_a_jump_after_a_small_update_comes_from_the_batch() -> None:
    steps = np.arange(1, 41)
    loss = Series(steps, np.append(np.full(30, 0.1), np.full(10, 900.0)))
    small, large = Series(steps, np.full(40, 1e-3)), Series(steps, np.full(40, 0.4))
    assert is_thrown_by_a_batch(loss, [small, small])
    assert not is_thrown_by_a_batch(loss, [small, large])
    assert not is_thrown_by_a_batch(loss, [])
    assert not is_thrown_by_a_batch(Series(steps, np.full(40, 1.0)), [small])


def test_a_loss_that_was_as_high_before_was_thrown_by_something_else() -> None:
    losses = Series(np.arange(1, 42), np.concatenate(([1.0, 130.0, 60.0], np.full(37, 1e-3), [10.0])))
    quiet = Series(losses.steps, np.full(41, 1e-4))
    assert not is_thrown_by_a_batch(losses, [quiet])
