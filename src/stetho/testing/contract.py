"""The contract that every check keeps, ours and anybody else's."""

import warnings

import numpy as np

from stetho.checks.declare import Check, Skip
from stetho.checks.grammar import problems_of
from stetho.checks.window import Window
from stetho.findings.finding import POINTS_OF_A_SERIES, SEVERITIES, Finding
from stetho.testing.odd_windows import odd_windows
from stetho.testing.windows import make_window


class CheckContract:
    """Inherit from it in a test module, and give the fixture `check`; pytest then runs the contract on each check.

    class TestMyChecks(CheckContract):
        @pytest.fixture(params=[cold_start, warm_end], ids=lambda check: check.name)
        def check(self, request):
            return request.param
    """

    def test_name_page_and_options_keep_the_grammar(self, check: Check) -> None:
        """Lowercase words with dashes, four headings that are filled, a first line that fits, options explained."""
        assert problems_of(check) == []

    def test_never_raises_on_an_odd_window(self, check: Check) -> None:
        """Empty, one step, NaN only, constant, no model: a check is clear, finds something, or says why it skips."""
        for name, window in odd_windows().items():
            outcome = outcome_of(check, window)
            assert outcome != "", f"skipped without a reason on the window `{name}`"
            problems = [problems_of_finding(check, each) for each in outcome if isinstance(each, Finding)]
            assert not any(problems), f"{problems} on the window `{name}`"

    def test_raises_no_alarm_on_a_healthy_window(self, check: Check) -> None:
        """What `make_window()` gives without arguments trains well."""
        outcome = outcome_of(check, make_window())
        assert [each.title for each in outcome if isinstance(each, Finding) and each.is_alarm] == []

    def test_says_the_same_twice(self, check: Check) -> None:
        """A check has no memory and no chance in it."""
        first, second = (outcome_of(check, make_window(step={"loss": np.linspace(1, 900, 60)})) for _ in range(2))
        assert repr(first) == repr(second)


def outcome_of(check: Check, window: Window) -> list[Finding] | str:
    """What a check finds, or why it skips; run as the engine runs it, save that a warning is an error."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            return check.judge(window, {})
        except Skip as reason:
            return str(reason)


def problems_of_finding(check: Check, finding: Finding) -> list[str]:
    """What is wrong with a finding; empty when nothing is.

    >>> from stetho.checks.declare import check
    >>> @check(severity="error")
    ... def cold_start(window): "A start that is cold."
    >>> problems_of_finding(cold_start, Finding("cold-start", "error", 1.2, "it is cold"))
    ['confidence 1.2 is not between 0 and 1']
    """
    long = [
        name for name, value in finding.evidence.items() if isinstance(value, list) and len(value) > POINTS_OF_A_SERIES
    ]
    rules = {
        f"written by `{finding.check}`": finding.check == check.name,
        f"severity {finding.severity!r} is unknown": finding.severity in SEVERITIES,
        f"confidence {finding.confidence} is not between 0 and 1": 0 <= finding.confidence <= 1,
        f"title {finding.title!r} is not one line": bool(finding.title.strip()) and "\n" not in finding.title,
        f"evidence {long} has more than {POINTS_OF_A_SERIES} points": not long,
        "steps run backwards": finding.steps.first <= finding.steps.last and finding.steps.count >= 0,
    }
    return [problem for problem, holds in rules.items() if not holds]
