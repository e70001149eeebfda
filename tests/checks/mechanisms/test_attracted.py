from dataclasses import replace

import pytest

from stetho.checks.mechanisms.attracted import attracts_only, collapsed_by_attraction
from stetho.checks.run.facts import LossGraph, Model, Op
from stetho.testing import make_window

COSINE = (Op("Neg"), Op("Mean", feeds=0), Op("Sum", (32,), feeds=1), Op("Mul", (32, 8), feeds=2, inputs=2),
          Op("Div", (32, 8), feeds=3, inputs=2, reads_output=True),
          Op("LinalgVectorNorm", (32, 1), feeds=4, inputs=1, reads_output=True))  # fmt: skip
PAIRS = (Op("Neg"), Op("Mean", feeds=0), Op("Diagonal", (32,), feeds=1), Op("Mm", (32, 32), feeds=2, inputs=2),
         Op("Div", (32, 8), feeds=3, inputs=2), Op("LinalgVectorNorm", (32, 1), feeds=4))  # fmt: skip

SQUARES = (Op("MseLoss", (), inputs=2), Op("Div", (32, 8), feeds=0, inputs=2), Op("LinalgVectorNorm", feeds=1))


def window(*ops: Op, **facts: object):  # type: ignore[no-untyped-def]
    graph = LossGraph("train.py:32", ops, made="train.py:31")
    return make_window(losses=[], loss_graphs=[graph], batch={"target_std": None}, **facts)


@pytest.mark.parametrize("ops", [COSINE, PAIRS, SQUARES])
def test_finds_answers_that_became_alike(ops: tuple[Op, ...]) -> None:
    finding = collapsed_by_attraction(window(*ops), 0.1, 0.5)
    assert (finding.severity, finding.where.line) == ("error", 31)


def test_points_where_a_prediction_and_what_it_is_made_of_are_given_back() -> None:
    code = (Op("Addmm", (32, 8)), Op("Relu", (32, 16)), Op("Addmm", (32, 16)))
    predicted = (Op("Addmm", (32, 8)), Op("Relu", (32, 4)), Op("Addmm", (32, 4)), *code)
    models = [Model(0, "net", returns="train.py:12")]
    for other, line in ((code, 12), (predicted, 31)):
        sides = (replace(COSINE[4], output_ops=predicted), replace(COSINE[5], output_ops=other))
        assert collapsed_by_attraction(window(*COSINE[:4], *sides, models=models), 0.1, 0.5).where.line == line


def test_knows_outputs_that_the_model_itself_normalises() -> None:
    sides = tuple(replace(op, output_ops=(Op("Div", (32, 8)), Op("Addmm", (32, 8)))) for op in COSINE[3:5])
    assert attracts_only(window(*COSINE[:3], *(replace(side, reads_output=True) for side in sides)))


@pytest.mark.parametrize(("share", "first"), [(0.3, 0.9), (0.1, 0.15), (float("nan"), 0.5)])
def test_stays_quiet_while_answers_differ_or_always_were_alike(share: float, first: float) -> None:
    assert collapsed_by_attraction(window(*COSINE), share, first) is None


def test_one_side_without_gradients_cannot_come_along() -> None:
    assert not attracts_only(window(*COSINE[:3], Op("Mul", (32, 8), feeds=2, inputs=1), *COSINE[4:]))
    assert not attracts_only(window(Op("MseLoss", (), inputs=1), *SQUARES[1:]))


def test_whatever_keeps_samples_apart_is_more_than_attraction() -> None:
    assert not attracts_only(window(*COSINE, Op("LogSoftmax", (32, 32), feeds=0)))
    assert not attracts_only(window(*COSINE[:3], Op("Mm", (32, 32), feeds=2, inputs=2), *COSINE[4:]))
    assert not attracts_only(window(*COSINE, Op("Sub", (32,), feeds=0, inputs=2)))
    assert not attracts_only(make_window(loss_graphs=[]))
