import pytest

from stetho.checks.mechanisms.ranges import COMPARING, RANGES, activation_before
from stetho.checks.run.facts import Op


def before(*names: str, inputs: int = 1) -> str | None:
    ops = tuple(Op(name, (32, 2), inputs=inputs) for name in names)
    return activation_before(ops, COMPARING["mse_loss"])


@pytest.mark.parametrize("end", sorted(RANGES))
def test_finds_the_activation_past_what_only_moves_values(end: str) -> None:
    assert before("Mean", "MseLoss", "Squeeze", "Gather", "View", end, "Addmm") == end


def test_what_is_computed_with_an_activation_is_no_end() -> None:
    assert before("MseLoss", "Mul", "Tanh") is None
    assert before("MseLoss", "Addmm", "Tanh") is None
    assert before("MseLoss") is None


def test_another_comparison_has_other_targets() -> None:
    assert before("L1Loss", "Tanh") is None


def test_two_things_that_are_learnt_are_compared_with_no_target() -> None:
    assert before("MseLoss", "Tanh", inputs=2) is None
