import pytest

from stetho.checks.declare import Skip
from stetho.checks.loss.missing_log import missing_log
from stetho.checks.run.facts import Loss, LossGraph, Op
from stetho.testing import make_window

SHAPE = (32, 4)


def by_hand(*names: str):  # type: ignore[no-untyped-def]
    return make_window(losses=[], loss_graphs=[LossGraph("train.py:32", tuple(Op(n, SHAPE) for n in names), (), SHAPE)])


@pytest.mark.parametrize("call", ["nll_loss", "kl_div"])
def test_finds_probabilities(call: str) -> None:
    loss = Loss(call, "train.py:31", input_low=0.01, input_high=0.9, rows_sum_to_one=True)
    assert missing_log(make_window(losses=[loss])).where.line == 31


def test_finds_minus_a_probability() -> None:
    assert missing_log(by_hand("Neg", "Mean", "Gather", "Softmax", "Addmm")) is not None


def test_finds_a_softmax_before_nll_loss() -> None:
    assert missing_log(by_hand("NllLoss", "View", "Softmax", "Addmm")) is not None
    assert missing_log(by_hand("NllLoss", "LogSoftmax", "Addmm", "Softmax")) is None


def test_stays_quiet_with_a_logarithm() -> None:
    loss = Loss("nll_loss", input_low=-3.0, input_high=-0.1, rows_sum_to_one=False)
    assert missing_log(make_window(losses=[loss])) is None
    assert missing_log(by_hand("Neg", "Mean", "Gather", "Log", "Softmax", "Addmm")) is None


def test_stays_quiet_on_one_minus_a_probability_and_on_an_expected_value() -> None:
    assert missing_log(by_hand("Mean", "Rsub", "Gather", "Softmax")) is None
    assert missing_log(by_hand("Neg", "Mean", "Sum", "Mul", "Softmax")) is None


def test_finds_a_rate_that_poisson_nll_loss_takes_for_its_logarithm() -> None:
    loss = Loss("poisson_nll_loss", input_low=0.2, input_high=3.0, settings={"log_input": True})
    ops = tuple(Op(n, (32,), reads_output=n == "Exp") for n in ("Mean", "Sub", "Exp"))
    graph = LossGraph("train.py:32", ops, (Op("Softplus", (32,)),), (32,))
    assert "log_input" in missing_log(make_window(losses=[loss], loss_graphs=[graph])).title


def test_finds_targets_that_are_no_logarithms() -> None:
    def of_targets(low: float, high: float) -> Loss:
        return Loss("kl_div", input_low=-3.0, input_high=-0.1, target_low=low, target_high=high,
                    settings={"log_target": True})  # fmt: skip

    assert missing_log(make_window(losses=[of_targets(0.0, 0.9)])) is not None
    assert missing_log(make_window(losses=[of_targets(-4.0, 0.0)])) is None


def test_stays_quiet_when_ranges_are_not_known() -> None:
    assert missing_log(make_window(losses=[Loss("nll_loss")])) is None


def test_skips_runs_without_a_loss() -> None:
    with pytest.raises(Skip):
        missing_log(make_window(losses=[], loss_graphs=[]))
