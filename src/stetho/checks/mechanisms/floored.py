"""Inputs that are whole numbers and nearly all 0, where a program cuts their fractions off on the way to the model."""

from math import prod

import numpy as np

from stetho.checks.evidence.inputs import content_line, trained_inputs
from stetho.checks.evidence.outcome import error_left
from stetho.checks.run.table import Table
from stetho.checks.window import Window
from stetho.findings.finding import Finding

EMPTY = 0.9
LEFT = 0.25
LEAST_STEPS = 20


def floored_input(window: Window) -> Finding | None:
    """A few ones among zeros may be there by right; beside such a line, and much error, they are what is left."""
    for model, rows in trained_inputs(window):
        rows = rows.where(np.isfinite(rows["zeros"]))
        called = window.layer("", model.id)
        line = _cut(window, called.called if called else None, "floored before") or _cut(
            window, content_line(window, model.id), "floored"
        )
        if line is None or rows.count < 3 or window.count < LEAST_STEPS or not _is_whole(rows):
            continue
        empty = float(np.sum(rows["zeros"]) / max(sum(prod(map(int, shape)) for shape in rows["shape"]), 1))
        left = error_left(window)
        if empty < EMPTY or left is None or left < LEFT:
            continue
        return window.finding(
            f"{empty:.1%} of the values of the input are 0, and the others are whole numbers up to "
            f"{rows['max'].max():.3g}: their fractions were cut off on the way",
            where=window.at(line),
            severity="error",
            confidence=0.92,
            try_next="Divide with / and not with //, and make whole numbers of nothing that has fractions.",
            zeros=empty,
        )
    return None


def _cut(window: Window, line: str | None, how: str) -> str | None:
    return window.facts.given.get(line or "", {}).get(how)


def _is_whole(rows: Table) -> bool:
    return all(bool((rows[each] == np.round(rows[each])).all()) for each in ("min", "max"))
