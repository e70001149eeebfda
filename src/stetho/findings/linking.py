"""Causes before symptoms: files each finding under the finding that explains it."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from stetho.findings.finding import Finding
from stetho.findings.ranking import strength


def linked(findings: Iterable[Finding]) -> list[Finding]:
    """The root causes, each with all its symptoms, strongest first; a chain of causes goes to its root.

    A symptom has one cause, the most confident. A finding that would become its own symptom is left alone, and a note
    takes no alarm under it: that would hide the alarm.

    >>> plateau = Finding("loss-plateau", "warning", 0.9, "the loss is 2.3 for 400 steps")
    >>> cause = Finding("graph-cut", "error", 0.99, "no gradient reaches 4 of 4 parameters", explains=("loss-plateau",))
    >>> [(root.check, [each.check for each in root.symptoms]) for root in linked([plateau, cause])]
    [('graph-cut', ['loss-plateau'])]
    """
    found = sorted(findings, key=strength)
    cause_of: dict[int, int] = {}
    # The weakest first: in a circle the strongest stays on top.
    for symptom in reversed(range(len(found))):
        for cause in _causes(symptom, found):
            if symptom not in _upwards(cause, cause_of):
                cause_of[symptom] = cause
                break
    symptoms: dict[int, list[Finding]] = {}
    for place, finding in enumerate(found):
        root = _upwards(place, cause_of)[-1]
        if root != place:
            symptoms.setdefault(root, []).append(finding)
    return [
        replace(finding, symptoms=tuple(symptoms.get(place, ())))
        for place, finding in enumerate(found)
        if place not in cause_of
    ]


def _causes(symptom: int, found: Sequence[Finding]) -> list[int]:
    name, is_alarm = found[symptom].check, found[symptom].is_alarm
    causes = [
        place
        for place, finding in enumerate(found)
        if name in finding.explains and finding.check != name and (finding.is_alarm or not is_alarm)
    ]
    return sorted(causes, key=lambda place: -found[place].confidence)


def _upwards(place: int, cause_of: dict[int, int]) -> list[int]:
    """A finding, its cause, the cause of that, up to the root."""
    trail = [place]
    while trail[-1] in cause_of:
        trail.append(cause_of[trail[-1]])
    return trail
