import pytest

from stetho.checks.declare import Skip
from stetho.checks.loss.double_sigmoid import double_sigmoid
from stetho.checks.run.facts import LossGraph, Op
from stetho.testing import make_window

SHAPE = (32, 1)


def window(*names: str, inside: str = "Addmm"):  # type: ignore[no-untyped-def]
    ops = tuple(Op(name, SHAPE) for name in names)
    return make_window(loss_graphs=[LossGraph("train.py:32", ops, (Op(inside, SHAPE), Op("Addmm", SHAPE)), SHAPE)])


def test_finds_a_sigmoid_before_a_loss_with_logits() -> None:
    finding = double_sigmoid(window("BinaryCrossEntropyWithLogits", "Squeeze", inside="Sigmoid"))
    assert (finding.check, finding.severity) == ("double-sigmoid", "error")


def test_finds_two_in_a_row() -> None:
    assert double_sigmoid(window("BinaryCrossEntropy", "Sigmoid", "Sigmoid")) is not None


def test_stays_quiet_on_one() -> None:
    assert double_sigmoid(make_window()) is None
    assert double_sigmoid(window("BinaryCrossEntropy", inside="Sigmoid")) is None
    assert double_sigmoid(window("BinaryCrossEntropyWithLogits", "Mul", inside="Sigmoid")) is None


def test_skips_runs_without_a_graph() -> None:
    with pytest.raises(Skip):
        double_sigmoid(make_window(loss_graphs=[]))
