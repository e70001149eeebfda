"""The outcome of judging a run: what was found, what was clear, and what could not be judged and why."""

from dataclasses import dataclass

from stetho.findings.finding import SEVERITIES, Finding, Severity


@dataclass(frozen=True, slots=True)
class Skipped:
    """A check that did not judge, with the reason.

    >>> Skipped("overfitting", "no eval pass was recorded").reason
    'no eval pass was recorded'
    """

    check: str
    reason: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """All three outcomes; `findings` are the root causes, ranked, with their symptoms inside.

    >>> Verdict((Finding("loss-plateau", "warning", 0.9, "the loss is 2.3"),)).worst
    'warning'
    """

    findings: tuple[Finding, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    clear: tuple[str, ...] = ()
    after_error: bool = False
    """Whether the program ended by an error of its own, which is told elsewhere."""

    @property
    def every_finding(self) -> list[Finding]:
        """Causes and symptoms alike."""
        return [each for finding in self.findings for each in (finding, *finding.symptoms)]

    @property
    def worst(self) -> Severity | None:
        """The worst severity of all findings; None when nothing was found."""
        return min((each.severity for each in self.every_finding), key=SEVERITIES.index, default=None)

    def fails(self, threshold: Severity | None) -> bool:
        """Whether something was found that is at least as bad as the threshold; never without one."""
        if threshold is None or self.worst is None:
            return False
        return SEVERITIES.index(self.worst) <= SEVERITIES.index(threshold)
