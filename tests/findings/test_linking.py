"""Symptoms go under their cause, chains to their root, and nobody becomes a symptom of itself."""

from hypothesis import given
from hypothesis import strategies as st

from stetho.findings.finding import Finding, Severity
from stetho.findings.linking import linked

NAMES = ("a", "b", "c", "d")


def finding(check: str, *explains: str, confidence: float = 0.9, severity: Severity = "warning") -> Finding:
    return Finding(check, severity, confidence, f"{check} is there", explains=explains)


def tree(findings: list[Finding]) -> dict[str, list[str]]:
    return {root.check: [symptom.check for symptom in root.symptoms] for root in linked(findings)}


def test_findings_that_explain_nothing_stay_side_by_side() -> None:
    assert tree([finding("a"), finding("b")]) == {"a": [], "b": []}


def test_a_symptom_goes_under_its_cause() -> None:
    assert tree([finding("plateau"), finding("cause", "plateau", "unseen")]) == {"cause": ["plateau"]}


def test_a_symptom_has_one_cause_and_it_is_the_most_confident() -> None:
    found = tree([finding("s"), finding("weak", "s", confidence=0.6), finding("sure", "s", confidence=0.99)])
    assert found == {"sure": ["s"], "weak": []}


def test_a_chain_goes_to_its_root() -> None:
    found = tree([finding("c"), finding("b", "c"), finding("a", "b")])
    assert found == {"a": ["b", "c"]}


def test_in_a_circle_the_strongest_stays_on_top() -> None:
    assert tree([finding("a", "b", confidence=0.6), finding("b", "a", confidence=0.99)]) == {"b": ["a"]}


def test_a_circle_of_three_keeps_one_root() -> None:
    found = tree([finding("a", "b"), finding("b", "c"), finding("c", "a", confidence=0.99)])
    assert found == {"c": ["a", "b"]}


def test_a_check_never_explains_its_own_findings() -> None:
    assert len(linked([finding("a", "a"), finding("a", "a")])) == 2


def test_all_findings_of_a_symptom_go_under_the_cause() -> None:
    assert tree([finding("s"), finding("s"), finding("cause", "s")]) == {"cause": ["s", "s"]}


def test_a_note_takes_no_alarm_under_it() -> None:
    alarm, note = finding("alarm", severity="error"), finding("note", "alarm", "other", severity="note")
    other = finding("other", severity="note")
    assert tree([alarm, note, other]) == {"alarm": [], "note": ["other"]}


def test_another_cause_is_taken_when_the_best_would_close_a_circle() -> None:
    found = tree([finding("a", "b", confidence=0.99), finding("b", "a", confidence=0.9), finding("c", "a", "b")])
    assert sum(len(symptoms) for symptoms in found.values()) == 2
    assert len(found) == 1


@given(
    st.lists(
        st.tuples(
            st.sampled_from(NAMES),
            st.sets(st.sampled_from(NAMES)),
            st.floats(0, 1),
            st.sampled_from(["error", "warning", "note"]),
        ),
        max_size=8,
    )
)
def test_no_finding_is_lost_and_none_is_doubled(given_findings: list[tuple[str, set[str], float, Severity]]) -> None:
    findings = [
        Finding(check, severity, confidence, str(place), explains=tuple(explains))
        for place, (check, explains, confidence, severity) in enumerate(given_findings)
    ]
    titles = [each.title for root in linked(findings) for each in (root, *root.symptoms)]
    assert sorted(titles) == sorted(each.title for each in findings)
    assert not any(symptom.symptoms for root in linked(findings) for symptom in root.symptoms)
