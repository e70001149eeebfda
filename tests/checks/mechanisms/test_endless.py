from dataclasses import replace

import numpy as np
import pytest

from stetho.checks.mechanisms.endless import endless_fall
from stetho.checks.run.facts import LossGraph, Op
from stetho.findings.finding import Finding
from stetho.testing import make_window

FALLING = -np.linspace(1.4, 8.0, 60)


def fall(ops: tuple[Op, ...], losses: np.ndarray) -> Finding | None:
    graph = LossGraph("train.py:32", ops, (Op("Addmm"),))
    return endless_fall(make_window(steps=len(losses), losses=[], loss_graphs=[graph], step={"loss": losses}), 2.0)


def chain(*names: str) -> tuple[Op, ...]:
    return tuple(Op(name, (32, 4)) for name in names)


@pytest.mark.parametrize(
    ("names", "what"),
    [
        (("Neg", "Mean", "Pow", "Sub"), "minus a squared distance"),
        (("Mean", "Index", "LogSoftmax"), "a log-likelihood without a minus"),
        (("Mean", "Sub", "Neg", "Pow"), "minus a squared distance"),
    ],
)
def test_finds_a_loss_by_hand_that_falls_without_end(names: tuple[str, ...], what: str) -> None:
    found = fall(chain(*names), FALLING)
    assert (found.where.line, f"the loss is {what} and falls" in found.title) == (32, True)


def test_stays_quiet_on_a_likelihood_with_its_minus_and_on_short_runs() -> None:
    assert fall(chain("Neg", "Mean", "LogSoftmax"), FALLING) is None
    assert fall(chain("Neg", "Mean", "Pow", "Sub"), FALLING[::8]) is None


GAUSSIAN = (
    Op("Mean", ()),
    Op("Sub", (32, 1), feeds=0, inputs=2),
    Op("Mul", (32, 1), feeds=1, inputs=1, negative=True),
    Op("Clamp", (32, 1), feeds=1, inputs=1, reads_output=True, subtracted=True),
    Op("Pow", (32, 1), feeds=2, inputs=1),
)


def test_finds_minus_a_distance_among_several_terms_once_it_runs_away() -> None:
    assert fall(GAUSSIAN, -np.geomspace(2.0, 1e5, 60)) is not None
    assert fall(GAUSSIAN, -np.linspace(1.0, 4.0, 60)) is None


TERM = (Op("Sub", inputs=2), Op("Pow", feeds=0, subtracted=True, reads_output=True))


def test_finds_a_term_with_the_wrong_sign_that_takes_the_loss_from_above_0_without_end() -> None:
    assert "minus a squared distance" in fall(TERM, 40 - np.arange(100.0) ** 2).title


def test_stays_quiet_on_a_loss_that_comes_to_rest_below_0() -> None:
    assert fall(TERM, 40 - 400 * (1 - np.exp(-np.arange(100.0) / 5))) is None


def test_finds_a_term_that_has_run_so_far_away_that_it_only_swings() -> None:
    swinging = np.concatenate([np.linspace(2000.0, -1e9, 40), -1e12 * (2 + np.cos(np.arange(160.0)))])
    assert fall(TERM, swinging).title.startswith("a term of the loss is minus")
    assert fall(TERM, np.concatenate([np.linspace(2000.0, -1e6, 40), np.full(160, -1e6)])) is None


MIXTURE = (
    Op("Mean", (), inputs=1),
    Op("Logsumexp", (32,), feeds=0, inputs=1),
    Op("Add", (32, 4), feeds=1, inputs=2),
    Op("Sub", (32, 4), feeds=2, inputs=2),
    Op("LogSoftmax", (32, 4), feeds=2, inputs=1),
    Op("Div", (32, 4), feeds=3, inputs=2),
    Op("Log", (32, 4), feeds=3, inputs=1, subtracted=True),
    Op("Neg", (32, 4), feeds=5, inputs=1),
    Op("Pow", (32, 4), feeds=7, inputs=1),
)
TURNED = (Op("Neg", ()), Op("Mean", (), feeds=0, inputs=1), *(replace(op, feeds=op.feeds + 1) for op in MIXTURE[1:]))


def test_a_mixture_of_distributions_lies_behind_the_sum_of_its_parts() -> None:
    assert "without a minus" in fall(MIXTURE, -np.geomspace(4.0, 1e3, 60)).title
    assert fall(TURNED, -np.geomspace(4.0, 1e3, 60)) is None
    assert fall(TURNED, 4 - np.linspace(0.0, 40.0, 60)) is None
