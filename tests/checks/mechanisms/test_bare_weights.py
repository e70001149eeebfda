import numpy as np
import pytest

from stetho.checks.mechanisms.bare_weights import badly_scaled, bare_weights
from stetho.checks.run.facts import LossGraph, Model, Op, Parameter
from stetho.testing import make_window

WEIGHTS = [Parameter("w1", (64, 32), 2048), Parameter("w2", (32, 10), 320), Parameter("bias", (10,), 10)]


def by_hand(rms, losses, weights=WEIGHTS, **more):
    stats = {(weight.name, "param.rms"): rms for weight in weights}
    empty = {"batch": {"label_counts": None, "correct": None}, "eval_batch": {"label_counts": None, "correct": None}}
    return make_window(
        layers=[],
        models=[Model(0, "parameters")],
        parameters=weights,
        stats=stats,
        step={"loss": losses},
        losses=[],
        **empty | more,
    )


FALLING, STILL = np.geomspace(90.0, 3.0, 60), np.full(60, 2.3)
TO_THE_END = np.linspace(40.0, 20.0, 60)


@pytest.mark.parametrize(("rms", "losses", "word"), [(5.0, FALLING, "large"), (1e-4, STILL, "small")])
def test_finds_weights_of_the_wrong_size(rms, losses, word):
    found = badly_scaled(by_hand(rms, losses), 4.0, 0.06, 2)
    assert f"2 of 2 weights begin too {word}" in found.title
    assert found.where.parameter == "w1"


@pytest.mark.parametrize(("rms", "losses"), [(0.15, FALLING), (5.0, STILL), (1e-4, FALLING)])
def test_stays_quiet_on_usual_sizes_and_where_it_does_no_harm(rms, losses):
    assert badly_scaled(by_hand(rms, losses), 4.0, 0.06, 2) is None


@pytest.mark.parametrize(("classes", "is_found"), [(10, True), (10_000, False)])
def test_a_loss_that_is_high_to_the_end_is_compared_with_a_guess(classes, is_found):
    ops = tuple(Op(name, ()) for name in ("Mean", "Gather", "Logsumexp"))
    graph = LossGraph("train.py:9", ops, output_shape=(50, classes))
    window = by_hand(5.0, TO_THE_END, loss_graphs=[graph])
    assert (badly_scaled(window, 4.0, 0.06, 2) is not None) is is_found


def test_weights_of_layers_and_single_rows_are_not_bare():
    assert bare_weights(make_window()) == []
    assert bare_weights(by_hand(5.0, FALLING, [Parameter("row", (1, 64), 64), *WEIGHTS[2:]])) == []
