"""A verdict tells how bad it is, symptoms included."""

import pytest

from stetho.findings.finding import Finding, Severity
from stetho.findings.verdict import Verdict


def verdict(*severities: Severity) -> Verdict:
    return Verdict(tuple(Finding("a", severity, 0.9, "title") for severity in severities))


def test_the_worst_severity_counts() -> None:
    assert verdict("note", "error", "warning").worst == "error"
    assert verdict().worst is None


def test_symptoms_count_too() -> None:
    cause = Finding("a", "warning", 0.9, "title", symptoms=(Finding("b", "error", 0.9, "title"),))
    assert Verdict((cause,)).worst == "error"
    assert [each.check for each in Verdict((cause,)).every_finding] == ["a", "b"]


@pytest.mark.parametrize(
    ("severity", "threshold", "fails"),
    [
        ("error", "error", True),
        ("error", "warning", True),
        ("warning", "error", False),
        ("warning", "warning", True),
        ("note", "warning", False),
        ("error", None, False),
    ],
)
def test_fails_at_or_above_the_threshold(severity: Severity, threshold: Severity | None, fails: bool) -> None:
    assert verdict(severity).fails(threshold) is fails


def test_nothing_found_never_fails() -> None:
    assert not verdict().fails("warning")
