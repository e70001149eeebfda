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
LEAST_SAMPLES = 500
RARE = 0.002
"""Of targets that were scaled to lie between 0 and 1, the highest alone is left as it was."""


def cut_off(window: Window) -> Finding | None:
    """Targets that all are whole, from inputs that are not, where the text makes whole numbers of others.

    They lie around 0, as standardised ones do, or are 0 but for a few, as those are that were scaled from 0 to 1.
    """
    filled, made, rows = window.line("whole numbers"), window.line("made whole"), window.batches("train")
    rows = rows.where(np.isin(rows["loss_call"].astype(str), REGRESSION) & np.isfinite(rows["target_mean"]))
    if (filled is None and made is None) or rows.count < LEAST_BATCHES:
        return None
    low, high = float(rows["target_min"].min()), float(rows["target_max"].max())
    sums, samples = rows["target_mean"] * rows["size"], float(rows["size"].sum())
    is_whole = all(map(_are_whole, (rows["target_min"], rows["target_max"], sums)))
    inputs = rows["max"][np.isfinite(rows["max"])]
    if not is_whole or not len(inputs) or _are_whole(inputs):
        return None
    if filled is not None and low < 0 < high and high - low <= FEW:
        return window.finding(
            f"all targets are whole numbers between {low:g} and {high:g}, and inputs are not whole: their fractions "
            "were cut off where they were written into an array of whole numbers",
            where=window.at(filled),
            severity="warning",
            confidence=0.9,
            try_next="Make the array with a type of its own: np.zeros(len(rows), dtype=np.float32).",
        )
    is_constant = low == 0 and high <= 1 and samples >= LEAST_SAMPLES and sums.sum() <= RARE * samples
    if made is not None and is_constant and _has_one_number(window):
        left = f"but {sums.sum():.0f} of {samples:.0f} " if high else ""
        return window.finding(
            f"all targets {left}are 0, and inputs are not whole: their fractions were cut off where they were made "
            "whole numbers",
            where=window.at(made),
            severity="warning",
            confidence=0.9,
            try_next="Keep the fractions: dtype=torch.float32; whole numbers are for classes.",
        )
    return None


def _has_one_number(window: Window) -> bool:
    """Whether each sample has one target: of many, as of words that occur in a text, most are 0 by nature."""
    shapes = [loss.target_shape for loss in window.losses if loss.phase == "train" and loss.call in REGRESSION]
    return bool(shapes) and all(shape is not None and np.prod(shape[1:]) == 1 for shape in shapes)


def _are_whole(values: Array) -> bool:
    return bool((np.abs(values - np.round(values)) < EXACT).all())
