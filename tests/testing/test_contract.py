"""The contract catches a check that does not keep it."""

from typing import Any

import pytest

from stetho.checks.declare import Check, Skip, check
from stetho.checks.window import Window
from stetho.findings.finding import Finding, Steps
from stetho.testing import CheckContract
from stetho.testing.contract import problems_of_finding

CONTRACT = CheckContract()


@check(severity="error")
def steady_loss(window: Window) -> Finding | None:
    """A loss that does not move.

    ## What it finds
    It.
    ## Why it matters
    So.
    ## What to try
    This.
    ## When it is wrong
    Never.
    """
    losses = window.loss_series().finite.values
    if len(losses) < 10:
        raise Skip("fewer than 10 losses")
    return window.finding(f"the loss is {losses[0]}") if losses.std() == 0 else None


def variant(look: Any) -> Check:
    look.__doc__, look.__name__ = steady_loss.function.__doc__, "steady_loss"
    return check(severity="error")(look)


class TestAGoodCheck(CheckContract):
    @pytest.fixture
    def check(self) -> Check:
        return steady_loss


def test_notices_a_check_that_raises() -> None:
    with pytest.raises(IndexError):
        CONTRACT.test_never_raises_on_an_odd_window(variant(lambda window: window.steps["loss"][0] > 9 and None))


def test_notices_a_warning() -> None:
    with pytest.raises(RuntimeWarning):
        CONTRACT.test_never_raises_on_an_odd_window(variant(lambda window: window.steps["loss"].mean() > 9 and None))


def test_notices_a_skip_without_a_reason() -> None:
    def look(_: Window) -> None:
        raise Skip

    with pytest.raises(AssertionError, match="skipped without a reason on the window `empty`"):
        CONTRACT.test_never_raises_on_an_odd_window(variant(look))


def test_notices_a_false_alarm() -> None:
    with pytest.raises(AssertionError):
        CONTRACT.test_raises_no_alarm_on_a_healthy_window(variant(lambda window: window.finding("found")))
    CONTRACT.test_raises_no_alarm_on_a_healthy_window(variant(lambda window: window.finding("x", severity="note")))


def test_notices_a_memory() -> None:
    calls: list[int] = []

    def look(window: Window) -> Finding:
        calls.append(1)
        return window.finding(f"call {len(calls)}")

    with pytest.raises(AssertionError):
        CONTRACT.test_says_the_same_twice(variant(look))


def test_notices_a_bad_name() -> None:
    def bad_name(window: Window) -> None:
        """A name."""

    with pytest.raises(AssertionError):
        CONTRACT.test_name_page_and_options_keep_the_grammar(check(severity="error")(bad_name))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"confidence": float("nan")}, "confidence"),
        ({"title": "two\nlines"}, "title"),
        ({"title": " "}, "title"),
        ({"check": "other"}, "written by"),
        ({"severity": "fatal"}, "severity"),
        ({"evidence": {"loss": [1.0] * 65}}, "evidence"),
        ({"steps": Steps(5, 1, 1)}, "steps"),
    ],
)
def test_notices_what_is_wrong_with_a_finding(change: dict[str, Any], problem: str) -> None:
    good = {"check": "steady-loss", "severity": "error", "confidence": 0.9, "title": "the loss is 2"}
    assert problems_of_finding(steady_loss, Finding(**good)) == []
    assert problem in problems_of_finding(steady_loss, Finding(**good | change))[0]
