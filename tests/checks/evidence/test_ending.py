"""The end of a model, where nothing but a loss comes after it."""

import pytest

from stetho.checks.evidence.ending import endings
from stetho.checks.run.facts import LossGraph, Op
from stetho.testing import make_window


def graph(*ops, inside=("Sigmoid", "Addmm")):
    return LossGraph("train.py:3", tuple(map(Op, ops)), tuple(map(Op, inside)))


def found(*graphs):
    return [(loss, [op.op for op in inside]) for _, loss, inside in endings(make_window(loss_graphs=graphs))]


@pytest.mark.parametrize("ops", [("MseLoss",), ("Mean", "MseLoss"), ("Div", "Sum", "MseLoss", "View", "Squeeze")])
def test_a_loss_straight_from_the_output_tells_the_end(ops):
    assert found(graph(*ops)) == [("MseLoss", ["Sigmoid", "Addmm"])]


def test_reshapes_inside_of_the_model_are_left_out():
    assert found(graph("NllLoss", "LogSoftmax", inside=("View", "Relu", "T", "Addmm"))) == [
        ("NllLoss", ["Relu", "Addmm"])
    ]


def test_other_operations_in_between_hide_the_end():
    assert found(graph("MseLoss", "Exp")) == []
    assert found(graph("Mean", "Pow", "Sub")) == [], "a loss written by hand is no known one"


def test_of_two_models_in_a_row_the_loss_reads_the_last():
    head = Op("LogSoftmax", reads_output=True, output_ops=(Op("Addmm"), Op("View"), Op("Relu")))
    backbone = LossGraph("train.py:3", (Op("NllLoss"), head), (Op("Relu"), Op("Convolution")))
    assert found(backbone) == [("NllLoss", ["Addmm", "Relu"])]


def test_every_graph_is_looked_at():
    assert [loss for loss, _ in found(graph("L1Loss"), graph("Exp"), graph("BinaryCrossEntropyWithLogits"))] == [
        "L1Loss",
        "BinaryCrossEntropyWithLogits",
    ]
    assert found() == []
