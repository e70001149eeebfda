"""The diagnosis on the terminal: root causes first, what they explain folded below, then one line for all the rest."""

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

from stetho.findings.finding import Finding, Severity
from stetho.findings.verdict import Skipped, Verdict
from stetho.store import loose
from stetho.views import text
from stetho.views.folding import Line, folded, labelled
from stetho.views.summary_lines import SEPARATOR, short_path, wrapped

STYLES: dict[Severity, str] = {"error": "bold red", "warning": "bold yellow", "note": "cyan"}
INDENT = 10
LABEL_WIDTH = 10
BLOCKS_SHOWN = 5
EVIDENCE_SHOWN = 5
ALIKE_SHOWN = 4
NOTES_SHOWN = 5
REASONS_SHOWN = 3
WIDTH_OF_A_SPARK_LINE = 32
WIDEST = 110
"""Sentences are folded at this width even on a wider terminal: long lines are hard to read."""


def print_diagnosis(verdict: Verdict, file: TextIO) -> None:
    """Draw a verdict on a stream."""
    from rich.text import Text

    from stetho.views.console import WIDTH_OF_A_PIPE, console_for

    console = console_for(file)
    width = console.width if console.width >= WIDTH_OF_A_PIPE else min(console.width, WIDEST)
    for line in diagnosis_lines(verdict, width):
        console.print(Text.assemble(*line))


def diagnosis_lines(verdict: Verdict, width: int) -> list[Line]:
    """The lines with their styles, each at most `width` letters, save for a word that is longer."""
    alarms = [finding for finding in verdict.findings if finding.is_alarm]
    notes = [finding for finding in verdict.findings if not finding.is_alarm]
    lines = list(folded(_heading(verdict), 2, width, "bold" if alarms else "dim"))
    by_check = [list(alike) for _, alike in itertools.groupby(alarms, lambda finding: finding.check)]
    for alike in by_check[:BLOCKS_SHOWN]:
        lines += [[], *_block(alike, width)]
    if brief := [alike[0] for alike in by_check[BLOCKS_SHOWN:]]:
        lines += [[], *_brief(brief, width)]
    if notes:
        lines += [[], *_brief(notes[:NOTES_SHOWN], width)]
    if len(notes) > NOTES_SHOWN:
        lines += labelled("", "", f"and {text.plural(len(notes) - NOTES_SHOWN, 'more note')}", "dim", INDENT, width)
    if alarms:
        more = f"`stetho explain {alarms[0].check}` tells more about the first."
        skipped = f" Skipped: {_reasons(verdict.skipped)}" if verdict.skipped else ""
        lines += [[], *folded(more + skipped, 2, width, "dim")]
    return lines


def live_line(finding: Finding) -> str:
    """A finding on one line, for the moment it is found.

    >>> live_line(Finding("graph-cut", "error", 0.99, "no gradient reaches 4 of 4 parameters"))
    'error · no gradient reaches 4 of 4 parameters · graph-cut'
    """
    place = [short_place(finding)] if finding.where.file else []
    return SEPARATOR.join([finding.severity, _clean(finding.title), *place, finding.check])


def short_place(finding: Finding) -> str:
    """The line of code of a finding as one would type it from here."""
    where = finding.where
    return f"{short_path(Path(where.file or ''))}:{where.line}"


def _heading(verdict: Verdict) -> str:
    # A check that found the same in many places is one thing to mend.
    severities = Counter({finding.check: finding.severity for finding in reversed(verdict.findings)}.values())
    counted = [text.plural(severities[each], each) for each in ("error", "warning") if severities[each]]
    skipped = f", {text.count(len(verdict.skipped))} skipped" if verdict.skipped else ""
    outcome = f"{text.plural(len(verdict.clear), 'check')} clear{skipped}"
    nothing = "nothing else wrong" if verdict.after_error else "nothing wrong"
    if counted or not verdict.skipped:
        return SEPARATOR.join(["diagnosis", ", ".join(counted) or nothing, outcome])
    return SEPARATOR.join(["diagnosis", nothing, f"{outcome}: {_reasons(verdict.skipped)}"])


def _reasons(skipped: Sequence[Skipped]) -> str:
    """Why checks were skipped, the commonest reasons first; a failure of ours is always told."""
    counted = Counter(_clean(each.reason) for each in skipped)
    failed = [f"{each.check} {_clean(each.reason)}" for each in skipped if each.reason.startswith("failed: ")]
    usual = [
        f"{reason} ({number})" if number > 1 else reason
        for reason, number in counted.most_common()
        if not reason.startswith("failed: ")
    ]
    shown = [*failed, *usual[:REASONS_SHOWN]]
    return "; ".join([*shown, "…"] if len(usual) > REASONS_SHOWN else shown)


def _block(alike: list[Finding], width: int) -> Iterator[Line]:
    """A finding in full, with those of the same check that came after it."""
    first, *others = alike
    yield from labelled(first.severity, STYLES[first.severity], _clean(first.title), "bold", INDENT, width)
    for parts, style in ((_place(first), ""), (_origin(first), "dim")):
        for line in wrapped(parts, width - INDENT) if parts else ():
            yield [(" " * INDENT, ""), (line, style)]
    yield from _evidence(first, width)
    for label, parts in (("also", _alike(others)), ("explains", _symptoms(alike))):
        for place, part in enumerate(parts):
            yield from _fact(label if place == 0 else "", part, width, "dim")
    if first.try_next:
        yield from _fact("try", _clean(first.try_next), width, "green")


def _place(finding: Finding) -> list[str]:
    subject = _subject(finding)
    return [*([short_place(finding)] if finding.where.file else []), *([subject] if subject else [])]


def _origin(finding: Finding) -> list[str]:
    steps = finding.steps
    span = f"step {steps.first}" if steps.first == steps.last else f"steps {steps.first} to {steps.last}"
    return [finding.check, *([span] if steps.count else []), f"{text.share(finding.confidence)} sure"]


def _subject(finding: Finding) -> str:
    return _clean(finding.where.parameter or finding.where.layer or "")


def _evidence(finding: Finding, width: int) -> Iterator[Line]:
    shown = list(finding.evidence.items())[:EVIDENCE_SHOWN]
    numbers = [f"{_name(name)} {_value(value)}" for name, value in shown if not isinstance(value, list)]
    if numbers:
        yield from _fact("evidence", SEPARATOR.join(numbers), width, "")
    for name, value in shown:
        if isinstance(value, list) and value:
            ends = f"{text.number(value[0])} → {text.number(value[-1])}"
            spark = text.spark_line(value, min(WIDTH_OF_A_SPARK_LINE, max(8, width - INDENT - LABEL_WIDTH - 30)))
            yield from _fact("" if numbers else "evidence", f"{_name(name)} {ends}  {spark}", width, "")


def _symptoms(alike: list[Finding]) -> list[str]:
    """One line for each check that found symptoms, with how many it found."""
    symptoms = [symptom for finding in alike for symptom in finding.symptoms]
    number = Counter(symptom.check for symptom in symptoms)
    first = {symptom.check: symptom for symptom in reversed(symptoms)}
    return [
        f"{name}: {_clean(first[name].title)}" + (f" (and {number[name] - 1} more)" if number[name] > 1 else "")
        for name in number
    ]


def _alike(others: list[Finding]) -> list[str]:
    """Where else the check found the same: by name where each has one, in full sentences otherwise."""
    shown = others[:ALIKE_SHOWN]
    more = [f"and {len(others) - ALIKE_SHOWN} more"] if len(others) > ALIKE_SHOWN else []
    if shown and all(map(_subject, shown)):
        return [", ".join([*map(_subject, shown), *more])]
    return [*(_clean(finding.title) for finding in shown), *more]


def _brief(findings: list[Finding], width: int) -> Iterator[Line]:
    """A line for each finding: what, which check, where."""
    for finding in findings:
        place = f"{SEPARATOR}{short_place(finding)}" if finding.where.file else ""
        content = f"{_clean(finding.title)}{SEPARATOR}{finding.check}{place}"
        yield from labelled(finding.severity, STYLES[finding.severity], content, "", INDENT, width)


def _fact(label: str, content: str, width: int, style: str) -> Iterator[Line]:
    yield from labelled(label, "dim", content, style, INDENT + LABEL_WIDTH, width, start=INDENT)


def _name(name: str) -> str:
    return _clean(name.replace("_", " "))


def _value(value: float | str | list[float]) -> str:
    return _clean(value) if isinstance(value, str) else text.number(value) if isinstance(value, float | int) else ""


def _clean(value: str) -> str:
    return loose.line(value) or ""
