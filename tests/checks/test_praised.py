import numpy as np
import pytest

from stetho.checks.facts import LossGraph, Op
from stetho.checks.praised import praised
from stetho.testing import make_window

PIXELS = (
    Op("Mean", ()),
    Op("Add", (50, 64), feeds=0, inputs=2),
    Op("Mul", (50, 64), feeds=1, inputs=1),
    Op("Mul", (50, 64), feeds=1, inputs=1),
    Op("Log", (50, 64), feeds=2, inputs=1, reads_output=True),
    Op("Log", (50, 64), feeds=3, inputs=1),
    Op("Rsub", (50, 64), feeds=5, inputs=1),
)
LIKENESS = (
    Op("Mean", ()),
    Op("Sum", (48,), feeds=0),
    Op("Mul", (48, 16), feeds=1, inputs=2),
    Op("Div", (48, 16), feeds=2, reads_output=True),
    Op("Div", (48, 16), feeds=2),
    Op("LinalgVectorNorm", (48, 1), feeds=3),
)


def falling(ops, first, last):
    return make_window(
        loss_graphs=[LossGraph("train.py:32", ops, (Op("Addmm"),))], step={"loss": np.linspace(first, last, 60)}
    )


def under(name, ops):
    """The same loss below one more operation."""
    return (Op(name, ()), *(Op(op.op, op.shape, feeds=(op.feeds if op.feeds is not None else -1) + 1, inputs=op.inputs)
                            for op in ops))  # fmt: skip


@pytest.mark.parametrize(("ops", "first", "last"), [(PIXELS, -0.7, -8.0), (LIKENESS, 0.0, -0.9)])
def test_finds_praise_without_a_minus(ops, first, last):
    found = praised(falling(ops, first, last), 2.0)
    assert "without a minus" in found.title
    assert found.where.line == 32


@pytest.mark.parametrize(("ops", "first", "last"), [(PIXELS, -0.7, -8.0), (LIKENESS, 0.0, -0.9)])
def test_stays_quiet_with_the_minus(ops, first, last):
    assert praised(falling(under("Neg", ops), first, last), 2.0) is None


def test_stays_quiet_on_an_entropy_and_beside_a_distance():
    entropy = (*PIXELS[:2], Op("Mul", (50, 64), feeds=1, inputs=2), *PIXELS[3:])
    assert praised(falling(entropy, -0.7, -8.0), 2.0) is None
    assert praised(falling((*PIXELS, Op("Pow", (50, 64), feeds=1)), -0.7, -8.0), 2.0) is None


def test_stays_quiet_on_vectors_that_are_pushed_apart_to_right_angles_and_on_short_runs():
    assert praised(falling(LIKENESS, 0.9, 0.0), 2.0) is None
    assert praised(make_window(steps=5, step={"loss": -1.0}), 2.0) is None
