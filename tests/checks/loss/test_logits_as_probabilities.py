import pytest

from stetho.checks.declare import Skip
from stetho.checks.loss.logits_as_probabilities import logits_as_probabilities
from stetho.checks.run.facts import Loss, LossGraph, Op
from stetho.testing import make_window

SHAPE = (32, 4)


def graph(*names: str) -> LossGraph:
    return LossGraph("train.py:32", tuple(Op(name, SHAPE) for name in names), (Op("Addmm", SHAPE),), SHAPE)


def test_finds_raw_outputs_as_log_probabilities() -> None:
    loss = Loss("nll_loss", "train.py:31", input_low=-2.0, input_high=3.0)
    assert "3" in logits_as_probabilities(make_window(losses=[loss], loss_graphs=[graph("NllLoss")])).title


def test_finds_a_logarithm_of_a_clamped_output() -> None:
    assert (
        logits_as_probabilities(make_window(losses=[], loss_graphs=[graph("Neg", "Mean", "Index", "Log", "Clamp")]))
        is not None
    )
    assert (
        logits_as_probabilities(make_window(losses=[], loss_graphs=[graph("BinaryCrossEntropy", "Clamp")])) is not None
    )


def test_finds_rates_below_zero() -> None:
    def of_counts(low: float) -> Loss:
        return Loss("poisson_nll_loss", "train.py:31", input_low=low, input_high=3.0, settings={"log_input": False})

    assert logits_as_probabilities(make_window(losses=[of_counts(-0.4)])).where.line == 31
    assert logits_as_probabilities(make_window(losses=[of_counts(0.1)])) is None


def test_stays_quiet_on_log_probabilities() -> None:
    loss = Loss("nll_loss", "train.py:31", input_low=-5.0, input_high=-0.1)
    assert logits_as_probabilities(make_window(losses=[loss])) is None
    assert logits_as_probabilities(make_window(losses=[], loss_graphs=[graph("Neg", "Mean", "Log", "Sigmoid")])) is None


def test_stays_quiet_on_densities_with_a_logarithm() -> None:
    loss = Loss("nll_loss", input_low=-5.0, input_high=2.0)
    assert logits_as_probabilities(make_window(losses=[loss], loss_graphs=[graph("NllLoss", "Log", "Exp")])) is None


def test_skips_runs_without_a_loss() -> None:
    with pytest.raises(Skip):
        logits_as_probabilities(make_window(losses=[], loss_graphs=[]))
