"""What it costs to know nothing."""

from math import log

import pytest

from stetho.checks.evidence.guess import chance_of, guessed_loss
from stetho.checks.run.facts import Loss, LossGraph, Op
from stetho.testing import make_window


@pytest.mark.parametrize(
    ("loss", "expected"),
    [
        (Loss("cross_entropy", input="float32[32, 4]"), log(4)),
        (Loss("nll_loss", input="float32[32, 10, 8, 8]"), log(10)),
        (Loss("binary_cross_entropy_with_logits", input="float32[32]"), log(2)),
        (Loss("cross_entropy", input="float32[32, 4]", reduction="sum"), None),
        (Loss("cosine_embedding_loss", input="float32[32, 4]"), None),
    ],
)
def test_a_guess_costs_the_logarithm_of_the_classes(loss, expected):
    assert chance_of(loss) == (pytest.approx(expected) if expected is not None else None)
    assert guessed_loss(make_window(losses=[loss])) == chance_of(loss)


def test_a_guess_of_a_number_costs_the_variance_of_the_targets():
    def squared(**more):
        return make_window(losses=[Loss("mse_loss", **more)], batch={"target_std": 2.0})

    assert guessed_loss(squared()) == pytest.approx(4.0)
    assert guessed_loss(squared(reduction="sum")) is None


def test_several_losses_have_no_guess_in_common():
    assert guessed_loss(make_window(losses=[Loss("mse_loss"), Loss("cross_entropy", input="float32[32, 4]")])) is None


def written(*names):
    graph = LossGraph("train.py:3", tuple(Op(name, ()) for name in names), output_shape=(50, 10))
    return guessed_loss(make_window(losses=[], loss_graphs=[graph]))


def test_a_loss_that_is_written_out_is_known_by_its_operations():
    assert written("Neg", "Mean", "Gather", "Sub", "Logsumexp") == pytest.approx(log(10))
    assert written("Neg", "Sum", "Gather", "Sub", "Logsumexp") is None
    assert written("Mean", "Mul", "Sub") is None
    assert guessed_loss(make_window(losses=[], loss_graphs=[])) is None
