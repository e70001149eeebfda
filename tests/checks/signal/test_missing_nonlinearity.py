import pytest

from stetho.checks.declare import Skip
from stetho.checks.run.facts import Edge, Layer, LossGraph, Op, Parameter
from stetho.checks.signal.missing_nonlinearity import missing_nonlinearity
from stetho.testing import make_window


def linear(inputs: int, outputs: int, kind: str = "Linear") -> str:
    return f"{kind}(in_features={inputs}, out_features={outputs}, bias=True)"


GRAPH = [LossGraph("train.py:9", output_ops=(Op("Addmm"),))]
STACK = {"a": linear(8, 16), "b": linear(16, 16), "c": linear(16, 4)}


def test_finds_a_model_that_is_linear_as_a_whole() -> None:
    finding = missing_nonlinearity(make_window(layers=STACK, loss_graphs=GRAPH))
    assert finding.severity == "error"
    assert "the whole model is linear" in finding.title


def test_finds_it_through_layers_that_only_pass_on() -> None:
    layers = {"a": linear(8, 16), "drop": "Dropout(p=0.1)", "flat": "Flatten()", "b": linear(16, 4)}
    assert missing_nonlinearity(make_window(layers=layers, loss_graphs=GRAPH)).severity == "error"


def test_a_single_pair_is_a_warning() -> None:
    layers = {"a": linear(8, 16), "relu": "ReLU()", "b": linear(16, 16), "c": linear(16, 4)}
    finding = missing_nonlinearity(make_window(layers=layers))
    assert (finding.severity, finding.where.layer) == ("warning", "c")


def test_stays_quiet_with_activations() -> None:
    assert missing_nonlinearity(make_window()) is None
    edges = [Edge("a", "b", ("Relu",)), Edge("b", "c", ("Tanh",))]
    assert missing_nonlinearity(make_window(layers=STACK, edges=edges)) is None


def test_stays_quiet_on_a_narrow_middle() -> None:
    assert missing_nonlinearity(make_window(layers={"a": linear(64, 4), "b": linear(4, 64)})) is None


def test_stays_quiet_on_residual_branches() -> None:
    layers = {"a": linear(8, 16), "b": linear(16, 16), "relu": "ReLU()", "c": linear(16, 16)}
    edges = [Edge("a", "b"), Edge("b", "relu"), Edge("relu", "c"), Edge("a", "c", ("Add",))]
    assert missing_nonlinearity(make_window(layers=layers, edges=edges)) is None


def test_skips_single_layers_and_unknown_flow() -> None:
    with pytest.raises(Skip, match="two linear layers"):
        missing_nonlinearity(make_window(layers={"a": linear(8, 4)}))
    with pytest.raises(Skip, match="not known"):
        missing_nonlinearity(make_window(layers=STACK, edges=[]))


def test_between_two_parts_of_a_model_it_is_a_note() -> None:
    parts = {"encoder.0": linear(8, 16), "encoder.1": "ReLU()", "encoder.2": linear(16, 16), "head.0": linear(16, 16)}
    assert missing_nonlinearity(make_window(layers=parts)).severity == "note"


def test_points_at_where_the_first_of_the_two_is_used() -> None:
    layers = [
        Layer("", "Net", called="train.py:9"),
        Layer("a", "Linear", "in_features=8, out_features=16", constructed="net.py:2", called="net.py:6"),
        Layer("b", "Linear", "in_features=16, out_features=4", constructed="net.py:3", called="net.py:7"),
    ]
    parameters = [Parameter("a.weight", (16, 8), 128), Parameter("b.weight", (4, 16), 64)]
    window = make_window(layers=layers, parameters=parameters, edges=[("a", "b")], loss_graphs=GRAPH)
    assert missing_nonlinearity(window).where.line == 6
