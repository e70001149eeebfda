import pytest

from stetho.checks.declare import Skip
from stetho.checks.model.output_activation import output_activation
from stetho.checks.run.facts import LossGraph, Op
from stetho.testing import make_window


def graph(last: str, *loss: str) -> list[LossGraph]:
    return [LossGraph("train.py:9", tuple(Op(name) for name in loss), (Op(last), Op("Addmm")), (32, 4))]


@pytest.mark.parametrize("last", ["Relu", "Tanh", "Sigmoid"])
def test_finds_an_activation_before_cross_entropy(last: str) -> None:
    finding = output_activation(make_window(loss_graphs=graph(last, "NllLoss", "LogSoftmax")))
    assert finding.severity == "error"
    assert last.lower() in finding.title


def test_names_the_layer() -> None:
    window = make_window(loss_graphs=graph("Relu", "NllLoss", "LogSoftmax"))
    assert output_activation(window).where.layer == "relu"


def test_leaves_two_sigmoids_to_another_check() -> None:
    logits = "BinaryCrossEntropyWithLogits"
    assert output_activation(make_window(loss_graphs=graph("Sigmoid", logits))) is None
    assert output_activation(make_window(loss_graphs=graph("Relu", logits))) is not None


def test_stays_quiet_on_logits() -> None:
    assert output_activation(make_window()) is None


def test_stays_quiet_when_something_comes_in_between() -> None:
    with pytest.raises(Skip):
        output_activation(make_window(loss_graphs=graph("Relu", "NllLoss", "LogSoftmax", "Addmm")))


def test_skips_other_losses_and_no_graph() -> None:
    for graphs in ([], graph("Relu", "MseLoss")):
        with pytest.raises(Skip):
            output_activation(make_window(loss_graphs=graphs))
