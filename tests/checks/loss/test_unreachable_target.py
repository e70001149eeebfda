import pytest

from stetho.checks.declare import Skip
from stetho.checks.loss.unreachable_target import unreachable_target
from stetho.checks.run.facts import Loss, LossGraph, Op
from stetho.testing import make_window

STANDARDISED = {"loss_call": "mse_loss", "target_mean": 0.0, "target_std": 1.0, "target_min": -2.5, "target_max": 2.5}


def window(end: str, *outside: str, **target: float):  # type: ignore[no-untyped-def]
    ops = tuple(Op(name, (32, 1)) for name in ("MseLoss", *outside))
    graph = LossGraph("train.py:32", ops, (Op(end, (32, 1)), Op("Addmm", (32, 1))), (32, 1))
    return make_window(losses=[Loss("mse_loss", "train.py:31")], loss_graphs=[graph], batch=STANDARDISED | target)


@pytest.mark.parametrize("end", ["Sigmoid", "Tanh", "Relu", "Softplus", "Softmax", "LogSoftmax"])
def test_finds_standardised_targets_behind_an_activation(end: str) -> None:
    finding = unreachable_target(window(end))
    assert (finding.severity, finding.where.line) == ("error", 31)


def test_finds_targets_outside_of_a_definition() -> None:
    for call, low in (("binary_cross_entropy_with_logits", -1.0), ("soft_margin_loss", 0.0)):
        loss = Loss(call, "train.py:31", target_low=low, target_high=1.0)
        assert unreachable_target(make_window(losses=[loss])) is not None


def test_stays_quiet_on_what_can_be_reached() -> None:
    assert unreachable_target(make_window()) is None
    assert unreachable_target(window("Addmm")) is None
    assert unreachable_target(window("Sigmoid", target_min=0.0, target_max=1.0, target_std=0.3)) is None
    assert unreachable_target(window("Sigmoid", "Mul")) is None


def test_stays_quiet_on_a_little_noise_below_zero() -> None:
    assert unreachable_target(window("Relu", target_min=-0.05, target_max=4.0)) is None


def test_stays_quiet_on_targets_that_are_not_numbers() -> None:
    assert unreachable_target(window("Relu", target_min=float("nan"))) is None


def test_skips_runs_without_targets() -> None:
    with pytest.raises(Skip):
        unreachable_target(make_window(losses=[], batch={"target_min": None}))


def test_stays_quiet_on_a_difference_of_two_things_that_are_learnt() -> None:
    ops = (Op("Sub", (32, 4), inputs=2), Op("Exp", (32, 4), inputs=1))
    graph = LossGraph("train.py:32", ops, (Op("Addmm", (32, 4)),), (32, 4))
    divergence = make_window(losses=[Loss("mse_loss")], loss_graphs=[graph], batch=STANDARDISED)
    assert unreachable_target(divergence) is None


def rewards(*highest: float, end: str = "Tanh", call: str = "smooth_l1_loss"):  # type: ignore[no-untyped-def]
    """A choice of one output for each sample, with targets that are high in some batches."""
    ops = (Op("SmoothL1Loss", ()), Op("Squeeze", (32,), feeds=0), Op("Gather", (32, 1), feeds=1, reads_output=True))
    graph = LossGraph("train.py:32", ops, (Op(end, (32, 2)), Op("Addmm", (32, 2))), (32, 2))
    columns = {"target_min": 0.0, "target_max": list(highest), "target_std": [0.2 * each for each in highest]}
    return make_window(
        steps=len(highest), losses=[Loss(call)], loss_graphs=[graph], batch={"loss_call": call} | columns
    )


def test_finds_high_rewards_that_come_in_some_batches() -> None:
    finding = unreachable_target(rewards(*[0.8] * 12, *[10.0] * 8))
    assert finding.evidence["target_high"] == 10


def test_stays_quiet_on_rewards_that_are_in_reach_or_hardly_ever_come() -> None:
    assert unreachable_target(rewards(*[0.8] * 12, *[1.9] * 8)) is None
    assert unreachable_target(rewards(*[0.8] * 18, *[10.0] * 2)) is None
    assert unreachable_target(rewards(*[10.0] * 20, end="Addmm")) is None


def test_stays_quiet_on_targets_of_another_loss_of_the_model() -> None:
    assert unreachable_target(rewards(*[10.0] * 20, call="mse_loss")) is None


@pytest.mark.parametrize(
    ("ops", "is_found"),
    [(("Mean", "Abs", "Sub"), True), (("Mean", "Abs"), False), (("BinaryCrossEntropy", "Rsub"), False)],
)
@pytest.mark.parametrize("call", ["l1_loss", "hand_written_distance"])
def test_the_l1_loss_is_the_size_of_a_difference(ops: tuple[str, ...], is_found: bool, call: str) -> None:
    graph = LossGraph("t.py:9", tuple(Op(name) for name in ops), (Op("Relu", (32, 1)), Op("Addmm", (32, 1))), (32, 1))
    batch = STANDARDISED | {"loss_call": call}
    found = unreachable_target(make_window(losses=[Loss(call, "t.py:9")], loss_graphs=[graph], batch=batch))
    assert (found is not None) is is_found
