"""What is printed, and what is written: docs/calibration.md and the figures that `stetho explain` shows."""

import json
from collections.abc import Sequence
from pathlib import Path

from zoo.outcome import Outcome
from zoo.score import score, score_of_check

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "calibration.md"
FIGURES = ROOT / "src" / "stetho" / "checks" / "calibration.json"

HEAD = """# How well the checks do

Written by `make zoo`, which runs every program of `tests/programs` under `stetho run` and compares what is found with
what was planted. Programs of the test split are not looked at while a check is written.

*Top-1*: the first finding is the planted fault, or one that the program lists as just as right. *Recall*: the fault is
named at all, be it as a symptom. *Precision*: root findings that are right, out of all root findings. *Line*: right
first findings that point at the very line of the fault. *False alarms*: healthy programs with an error or a warning.
"""


def line_of(outcome: Outcome) -> str:
    """One program in one line: the verdict on the verdict, and what was found."""
    if outcome.problem is not None:
        word = "PROBLEM"
    elif outcome.program.fault is None:
        word = "ALARM" if outcome.roots else "quiet"
    else:
        word = "first" if outcome.is_first else "FOUND" if outcome.is_found else "MISSED"
    found = ", ".join(alarm.check for alarm in outcome.roots) or "–"
    return f"{word:8} {outcome.program.split:5} {outcome.program.name:58} {outcome.problem or found}"


def summary(outcomes: Sequence[Outcome]) -> list[tuple[str, ...]]:
    """A row for each split, and one for all."""
    rows = []
    for title, chosen in (
        ("train", [each for each in outcomes if each.program.split == "train"]),
        ("test", [each for each in outcomes if each.program.split == "test"]),
        ("all", list(outcomes)),
    ):
        found = score(chosen)
        shares = (found.first, found.recall, found.precision, found.line, found.false_alarms)
        rows.append((title, str(len(chosen)), *map(str, shares)))
    return rows


SUMMARY_COLUMNS = ("split", "programs", "top-1", "recall", "precision", "line", "false alarms")


def page(outcomes: Sequence[Outcome]) -> str:
    """docs/calibration.md."""
    checks = sorted({each.program.fault for each in outcomes if each.program.fault is not None})
    by_check = []
    for check in checks:
        found = score_of_check(check, outcomes)
        by_check.append((f"`{check}`", *map(str, (found.first, found.recall, found.precision, found.false_alarms))))
    programs = [
        (f"`{each.program.name}`", each.program.split, ", ".join(f"`{alarm.check}`" for alarm in each.roots) or "–")
        for each in outcomes
    ]
    return "\n".join(
        [
            HEAD,
            *_table(SUMMARY_COLUMNS, summary(outcomes)),
            "",
            "## Each check",
            "",
            *_table(("check", "top-1", "recall", "precision", "false alarms"), by_check),
            "",
            "## Each program",
            "",
            "The planted fault is the first part of a faulty program's name.",
            "",
            *_table(("program", "split", "found"), programs),
            "",
        ]
    )


def figures(outcomes: Sequence[Outcome]) -> dict[str, object]:
    """calibration.json."""
    checks = {}
    for check in sorted({each.program.fault for each in outcomes if each.program.fault is not None}):
        found = score_of_check(check, outcomes)
        checks[check] = {
            "precision": _rounded(found.precision.value),
            "recall": _rounded(found.recall.value),
            "programs": found.recall.total,
        }
    return {"checks": checks}


def write(outcomes: Sequence[Outcome]) -> None:
    """Write both files."""
    PAGE.write_text(page(outcomes), encoding="utf-8")
    FIGURES.write_text(json.dumps(figures(outcomes), indent=1) + "\n", encoding="utf-8")


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return ["| " + " | ".join(row) + " |" for row in (columns, ["---"] * len(columns), *rows)]
