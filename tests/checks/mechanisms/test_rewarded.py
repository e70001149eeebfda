import pytest

from stetho.checks.mechanisms.rewarded import rewarded
from stetho.checks.run.facts import Group, LossGraph, Op, Optimizer
from stetho.testing import make_window

MEAN, WEIGHED = Op("Mean", shape=()), Op("Mul", shape=(64,), feeds=0, inputs=1)
ADVANTAGE = {"name": "adv", "turned": False, "line": "train.py:76"}


def graph(*ops: Op, reward: object = None) -> list[LossGraph]:
    return [LossGraph(line="train.py:80", ops=ops, reward=reward or ADVANTAGE)]  # type: ignore[arg-type]


def chain(*names: str, start: int = 2) -> tuple[Op, ...]:
    return tuple(Op(name, shape=(64,), feeds=start + place - 1, inputs=1) for place, name in enumerate(names))


@pytest.mark.parametrize("end", [("Gather",), ("Squeeze", "Index"), ("Select", "LogSoftmax"), ("Exp", "Neg", "Pow")])
def test_finds_rewarded_choices_that_become_rarer(end: tuple[str, ...]) -> None:
    found = rewarded(make_window(loss_graphs=graph(MEAN, WEIGHED, *chain(*end))))
    assert "`adv`" in found.title
    assert found.where.line == 76


def test_stays_quiet_with_a_minus_anywhere() -> None:
    minus = Op("Neg", shape=(), feeds=None, inputs=1)
    negated = (minus, Op("Mean", shape=(), feeds=0), Op("Mul", shape=(64,), feeds=1, inputs=1))
    assert rewarded(make_window(loss_graphs=graph(*negated, *chain("Gather", start=3)))) is None
    turned = {"name": "adv", "turned": True, "line": "train.py:76"}
    assert rewarded(make_window(loss_graphs=graph(MEAN, WEIGHED, *chain("Gather"), reward=turned))) is None
    ascent = [Optimizer(0, "SGD", groups=(Group({"maximize": True}),))]
    assert rewarded(make_window(loss_graphs=graph(MEAN, WEIGHED, *chain("Gather")), optimizers=ascent)) is None


def test_stays_quiet_on_costs_entropies_and_errors_of_values() -> None:
    nameless = [LossGraph(line="train.py:80", ops=(MEAN, WEIGHED, *chain("Gather")))]
    assert rewarded(make_window(loss_graphs=nameless)) is None
    entropy = (MEAN, Op("Mul", shape=(64, 4), feeds=0, inputs=2), *chain("LogSoftmax"))
    assert rewarded(make_window(loss_graphs=graph(*entropy))) is None
    value = (Op("Mul", shape=(), inputs=1), Op("Mean", shape=(), feeds=0), *chain("Pow"))
    assert rewarded(make_window(loss_graphs=graph(*value))) is None
    assert rewarded(make_window(loss_graphs=graph(MEAN, WEIGHED, *chain("Gather")), steps=5)) is None
