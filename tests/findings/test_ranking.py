"""Causes first: by severity, then confidence, then the earlier first step."""

from stetho.findings.finding import Finding, Severity, Steps
from stetho.findings.ranking import ranked


def finding(check: str, severity: Severity = "warning", confidence: float = 0.9, first: int = 1, *symptoms: Finding):
    return Finding(check, severity, confidence, check, steps=Steps(first, 100, 10), symptoms=symptoms)


def order(*findings: Finding, symptoms: tuple[str, ...] = ()) -> list[str]:
    return [each.check for each in ranked(findings, symptoms)]


def test_the_worse_comes_first() -> None:
    assert order(finding("n", "note"), finding("w"), finding("e", "error", 0.1)) == ["e", "w", "n"]


def test_of_the_same_severity_the_surer_comes_first() -> None:
    assert order(finding("a", confidence=0.5), finding("b", confidence=0.8)) == ["b", "a"]


def test_of_the_same_confidence_the_earlier_comes_first() -> None:
    assert order(finding("a", first=50), finding("b", first=3)) == ["b", "a"]


def test_a_cause_is_as_bad_as_what_it_explains() -> None:
    cause = finding("cause", "warning", 0.95, 1, finding("divergence", "error"))
    assert order(finding("other", "error", 0.9), cause) == ["cause", "other"]


def test_a_symptom_without_a_known_cause_comes_after_the_causes() -> None:
    assert order(finding("divergence", "error", 0.99), finding("cause"), symptoms=("divergence",)) == [
        "cause",
        "divergence",
    ]


def test_notes_come_last_even_as_causes() -> None:
    assert order(finding("note", "note", 1.0), finding("s", "warning", 0.1), symptoms=("s",)) == ["s", "note"]


def test_findings_of_one_check_stay_together() -> None:
    found = [finding("a", confidence=0.9), finding("b", confidence=0.8), finding("a", confidence=0.7)]
    assert order(*found) == ["a", "a", "b"]


def test_the_order_does_not_depend_on_the_order_given() -> None:
    found = [finding(name, first=place) for place, name in enumerate("abcd")]
    assert order(*found) == order(*reversed(found))
