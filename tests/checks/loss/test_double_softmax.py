import pytest

from stetho.checks.declare import Skip
from stetho.checks.loss.double_softmax import double_softmax
from stetho.checks.run.facts import Loss, LossGraph, Op
from stetho.testing import make_window

SHAPE = (32, 4)


def graph(*ops: Op, inside: tuple[Op, ...] = (Op("Addmm", SHAPE),)) -> LossGraph:
    return LossGraph("train.py:32", ops, inside, SHAPE)


def test_finds_a_softmax_at_the_end_of_the_model() -> None:
    ops = (Op("NllLoss", ()), Op("LogSoftmax", SHAPE, 1))
    finding = double_softmax(
        make_window(loss_graphs=[graph(*ops, inside=(Op("Softmax", SHAPE, 1), Op("Addmm", SHAPE)))])
    )
    assert (finding.check, finding.severity) == ("double-softmax", "error")
    assert "[32, 4]" in finding.title


def test_finds_it_past_operations_that_only_reshape() -> None:
    ops = (Op("NllLoss", ()), Op("LogSoftmax", SHAPE, 1), Op("View", SHAPE), Op("Softmax", SHAPE, 1))
    assert double_softmax(make_window(loss_graphs=[graph(*ops)])) is not None


def written_out(*, inside: Op) -> LossGraph:
    ops = (
        Op("Neg", ()), Op("Mean", (), feeds=0), Op("Gather", feeds=1), Op("Sub", SHAPE, feeds=2),
        Op("Sub", SHAPE, feeds=3, reads_output=True), Op("Log", feeds=3), Op("Sum", feeds=5), Op("Exp", SHAPE, feeds=6),
    )  # fmt: skip
    return graph(*ops, inside=(inside,))


def test_finds_it_where_the_loss_writes_its_softmax_out() -> None:
    assert double_softmax(make_window(loss_graphs=[written_out(inside=Op("Softmax", SHAPE, 1))])) is not None
    assert double_softmax(make_window(loss_graphs=[written_out(inside=Op("Addmm", SHAPE))])) is None


def test_finds_rows_that_sum_to_one() -> None:
    loss = Loss(
        "cross_entropy", "train.py:31", input="float32[32, 4]", rows_sum_to_one=True, input_low=0.1, input_high=0.8
    )
    finding = double_softmax(make_window(losses=[loss]))
    assert finding.where.line == 31


def test_stays_quiet_on_logits_and_on_a_second_log_softmax() -> None:
    ops = (Op("NllLoss", ()), Op("LogSoftmax", SHAPE, 1))
    assert double_softmax(make_window()) is None
    assert double_softmax(make_window(loss_graphs=[graph(*ops, inside=(Op("LogSoftmax", SHAPE, 1),))])) is None


def test_stays_quiet_when_another_output_is_a_softmax() -> None:
    reads = Op("LogSoftmax", SHAPE, 1, feeds=0, reads_output=True, output_ops=(Op("Addmm", SHAPE),))
    assert (
        double_softmax(make_window(loss_graphs=[graph(Op("NllLoss", ()), reads, inside=(Op("Softmax", SHAPE, 1),))]))
        is None
    )


def test_skips_runs_without_a_loss() -> None:
    with pytest.raises(Skip):
        double_softmax(make_window(losses=[], loss_graphs=[]))
