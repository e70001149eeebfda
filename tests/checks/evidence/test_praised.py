import numpy as np
import pytest

from stetho.checks.evidence.praised import praised
from stetho.checks.run.facts import LossGraph, Op
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


def overlap(*, turned: bool = False, learnt_below: bool = True):
    """(2 Σpt + 1) / (Σp + Σt + 1), as autograd lists it, and 1 minus that."""
    ops = [Op("Rsub", ())] if turned else [Op("Mean", ())]
    ops += [Op("Div", (16,), feeds=0, inputs=2 if learnt_below else 1), Op("Add", (16,), feeds=1)]
    ops += [Op("Mul", (16,), feeds=2, inputs=1), Op("Sum", (16,), feeds=3), Op("Mul", (16, 576), feeds=4, inputs=1)]
    return (*ops, Op("Sigmoid", (16, 576), feeds=5, reads_output=True))


def test_finds_an_overlap_that_is_made_small() -> None:
    assert "overlap with the targets" in praised(falling(overlap(), 0.2, 0.002), 2.0).title


@pytest.mark.parametrize("ops", [overlap(turned=True), overlap(learnt_below=False)])
def test_stays_quiet_on_one_minus_an_overlap_and_on_a_weighted_mean(ops) -> None:
    assert praised(falling(ops, 0.2, 0.002), 2.0) is None
