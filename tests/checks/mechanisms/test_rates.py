import pytest

from stetho.checks.mechanisms.rates import rate_without_log
from stetho.checks.run.facts import Loss, LossGraph, Op
from stetho.testing import make_window


def of_counts(*names: str, low: float = 0.2, log_input: bool = True):  # type: ignore[no-untyped-def]
    loss = Loss("poisson_nll_loss", "train.py:31", input_low=low, input_high=3.0, settings={"log_input": log_input})
    graph = LossGraph("train.py:32", tuple(Op(n, (32,), reads_output=n == "Exp") for n in ("Mean", "Sub", "Exp")),
                      tuple(Op(n, (32,)) for n in names), (32,))  # fmt: skip
    return make_window(losses=[loss], loss_graphs=[graph])


@pytest.mark.parametrize("way", [("Squeeze", "Softplus", "Addmm"), ("Exp", "Addmm"), ("Add", "Softplus", "Addmm")])
def test_finds_a_rate_that_is_taken_for_its_logarithm(way: tuple[str, ...]) -> None:
    found = rate_without_log(of_counts(*way))
    assert found.where.line == 31
    assert "log_input" in found.title


def test_stays_quiet_on_logarithms_of_rates() -> None:
    assert rate_without_log(of_counts("Squeeze", "Addmm", "Softplus")) is None
    assert rate_without_log(of_counts("Clamp", "Addmm", "Relu", low=-0.5)) is None
    assert rate_without_log(of_counts("Softplus", "Addmm", low=-0.5)) is None
    assert rate_without_log(of_counts("Addmm")) is None


def test_stays_quiet_on_a_rate_that_is_said_to_be_one() -> None:
    assert rate_without_log(of_counts("Softplus", "Addmm", log_input=False)) is None
    assert rate_without_log(make_window()) is None
