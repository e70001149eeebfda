"""Targets of a regression that have lost their fractions on the way into an array of whole numbers."""

import numpy as np

from stetho.checks.evidence.compared import REGRESSION
from stetho.checks.run.series import Array
from stetho.checks.window import Window
from stetho.findings.finding import Finding

LEAST_BATCHES = 10
EXACT = 1e-3
FEW = 10.0
"""Whole numbers that lie farther apart lose little; and counts, ages or prices are never below 0."""


def cut_off(window: Window) -> Finding | None:
    """Targets around 0 that all are whole, from inputs that are not, where the text fills such an array."""
    line, rows = window.line("whole numbers"), window.batches("train")
    rows = rows.where(np.isin(rows["loss_call"].astype(str), REGRESSION) & np.isfinite(rows["target_mean"]))
    if line is None or rows.count < LEAST_BATCHES:
        return None
    low, high = float(rows["target_min"].min()), float(rows["target_max"].max())
    sums = rows["target_mean"] * rows["size"]
    is_whole = all(map(_are_whole, (rows["target_min"], rows["target_max"], sums)))
    inputs = rows["max"][np.isfinite(rows["max"])]
    if not is_whole or not low < 0 < high or high - low > FEW or not len(inputs) or _are_whole(inputs):
        return None
    return window.finding(
        f"all targets are whole numbers between {low:g} and {high:g}, and inputs are not: their fractions were cut off "
        "where they were written into an array of whole numbers",
        where=window.at(line),
        severity="warning",
        confidence=0.9,
        try_next="Make the array with a type of its own: np.zeros(len(rows), dtype=np.float32).",
        lowest=low,
        highest=high,
    )


def _are_whole(values: Array) -> bool:
    return bool((np.abs(values - np.round(values)) < EXACT).all())
