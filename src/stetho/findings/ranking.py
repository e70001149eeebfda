"""The order in which findings are told: what is most likely the root of the trouble comes first."""

from collections.abc import Collection, Iterable

from stetho.findings.finding import SEVERITIES, Finding

Strength = tuple[int, float, int, str, str]


def strength(finding: Finding) -> Strength:
    """Sorts findings: the worse, the surer, the earlier first.

    >>> sure = Finding("graph-cut", "error", 0.99, "no gradient reaches 4 of 4 parameters")
    >>> min([Finding("loss-plateau", "warning", 1.0, "the loss is 2.3"), sure], key=strength).check
    'graph-cut'
    """
    worst = min(SEVERITIES.index(each.severity) for each in (finding, *finding.symptoms))
    return worst, -finding.confidence, finding.steps.first, finding.check, str(finding.where)


def ranked(roots: Iterable[Finding], symptom_checks: Collection[str] = ()) -> list[Finding]:
    """Alarms before notes, causes before symptoms without a known cause, then by strength; one check stays together.

    `symptom_checks` names the checks that only ever find symptoms.

    >>> plateau = Finding("loss-plateau", "error", 0.99, "the loss is 2.3 for 400 steps")
    >>> rate = Finding("learning-rate-too-low", "warning", 0.8, "the update is 1e-9 of the weight")
    >>> [finding.check for finding in ranked([plateau, rate], {"loss-plateau"})]
    ['learning-rate-too-low', 'loss-plateau']
    """

    def key(finding: Finding) -> tuple[bool, bool, Strength]:
        is_plain_symptom = finding.check in symptom_checks and not finding.symptoms
        return not finding.is_alarm, is_plain_symptom, strength(finding)

    by_strength = sorted(roots, key=key)
    first_of_check = {finding.check: place for place, finding in reversed(list(enumerate(by_strength)))}
    # Sorting is stable: findings of one check follow its strongest, alarms and notes apart.
    return sorted(by_strength, key=lambda each: (not each.is_alarm, first_of_check[each.check]))
