import pytest

from stetho.checks.loss.wrong_loss_sign import wrong_loss_sign
from stetho.checks.mechanisms.quantiles import turned_quantile
from stetho.checks.run.facts import LossGraph, Op
from stetho.testing import make_window


def window(difference: str, target_first: bool | None = True, inputs: int = 1):  # type: ignore[no-untyped-def]
    larger, product = Op("Maximum", (32,), feeds=0, inputs=2), Op("Mul", (32,), feeds=1, inputs=1)
    ops = (Op("Mean"), larger, product, product, Op(difference, (32,), feeds=2, inputs=inputs, reads_output=True))
    quantile = {"line": "train.py:8", "target_first": target_first} if target_first is not None else {}
    return make_window(losses=[], loss_graphs=[LossGraph("train.py:32", ops, quantile=quantile)])


@pytest.mark.parametrize(("difference", "target_first"), [("Sub", True), ("Rsub", False)])
def test_finds_a_difference_the_wrong_way_round(difference: str, target_first: bool) -> None:
    finding = turned_quantile(window(difference, target_first))
    assert finding.where.line == 8
    assert wrong_loss_sign(window(difference, target_first)).severity == "error"


@pytest.mark.parametrize(("difference", "target_first"), [("Rsub", True), ("Sub", False), ("Sub", None)])
def test_stays_quiet_on_the_right_way_round(difference: str, target_first: bool | None) -> None:
    assert turned_quantile(window(difference, target_first)) is None


def test_two_sides_that_are_learnt_tell_nothing() -> None:
    assert turned_quantile(window("Sub", inputs=2)) is None
    assert turned_quantile(make_window()) is None
