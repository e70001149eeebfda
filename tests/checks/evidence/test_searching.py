from stetho.checks.evidence.searching import searches, updates_made
from stetho.checks.run.facts import Group, Optimizer
from stetho.testing import make_window

SEARCHING = [Optimizer(0, "LBFGS", None, (Group({"lr": 1.0, "max_iter": 10}, ()),))]


def test_a_search_moves_weights_once_for_each_loss_it_asks_for():
    window = make_window(steps=30, step={"backwards": 8}, optimizers=SEARCHING)
    assert searches(window)
    assert updates_made(window) == 240


def test_gradients_that_are_accumulated_move_weights_once():
    window = make_window(steps=30, step={"backwards": 8})
    assert not searches(window)
    assert updates_made(window) == 30
