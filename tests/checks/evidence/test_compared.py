import numpy as np

from stetho.checks.evidence.compared import beginning, compared, ending, middle
from stetho.checks.run.facts import Optimizer
from stetho.testing import make_window


def test_pairs_calls_with_backward_passes() -> None:
    both = compared(make_window(step={"loss": np.arange(60) * 2.0}, batch={"loss": np.arange(60) * 1.0}))
    assert np.array_equal(both.backward, 2 * both.called)
    assert len(both.steps) == 60


def test_leaves_out_steps_with_several_passes_and_losses_that_are_not_numbers() -> None:
    losses = np.where(np.arange(60) < 10, np.nan, 1.0)
    assert len(compared(make_window(batch={"loss": losses}, step={"loss": 1.0})).steps) == 50
    assert len(compared(make_window(batch={"loss": 1.0}, step={"backwards": 2})).steps) == 0


def test_chooses_the_steps_of_one_optimizer() -> None:
    window = make_window(
        batch={"loss": 1.0},
        step={"optimizer": np.arange(60) % 2},
        optimizers=[Optimizer(0, "SGD"), Optimizer(1, "SGD")],
    )
    assert len(compared(window, 1).steps) == 30


def test_beginning_and_end_of_a_series() -> None:
    values = np.arange(100.0)
    assert (beginning(values), ending(values)) == (4.5, 94.5)
    assert np.isnan(beginning(np.zeros(0)))
    assert middle(np.array([1.0, np.nan, 3.0])) == 2.0
