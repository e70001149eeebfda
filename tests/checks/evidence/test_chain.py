from stetho.checks.evidence.chain import chains, following, names, outside
from stetho.checks.run.facts import LossGraph, Op


def test_follows_the_way_from_the_output_that_is_read() -> None:
    ops = (
        Op("Add", (), feeds=None, inputs=2),
        Op("NllLoss", (), feeds=0, inputs=1),
        Op("Mul", (), feeds=0, inputs=1),
        Op("LogSoftmax", (8, 3), feeds=1, inputs=1, reads_output=True),
        Op("MseLoss", (), feeds=2, inputs=1, reads_output=True, output_ops=(Op("Sigmoid", (8, 1)),)),
    )
    first, second = chains(LossGraph(ops=ops, output_ops=(Op("Addmm", (8, 3)),)))
    assert names(first) == ["Add", "NllLoss", "LogSoftmax", "Addmm"]
    assert names(second) == ["Add", "Mul", "MseLoss", "Sigmoid"]


def test_takes_the_list_as_it_is_where_no_output_is_read() -> None:
    ops = (Op("Mean"), Op("Pow"))
    assert outside(LossGraph(ops=ops)) == [ops]
    assert chains(LossGraph()) == [()]


def test_does_not_run_in_circles() -> None:
    ops = (Op("Mean", feeds=1), Op("Pow", feeds=0, reads_output=True))
    assert len(outside(LossGraph(ops=ops))[0]) == 2


def test_looks_past_what_only_reshapes() -> None:
    chain = (Op("LogSoftmax"), Op("View"), Op("Squeeze"), Op("Softmax"))
    assert following(chain, 0) == Op("Softmax")
    assert following(chain, 3) is None
