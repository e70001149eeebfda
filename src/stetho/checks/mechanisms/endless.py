"""Losses by hand that fall without end: minus a distance, or a log-likelihood without a minus."""

import numpy as np

from stetho.checks.evidence.chain import RESHAPING, TURNING, is_negated, ways_to
from stetho.checks.evidence.compared import beginning, ending
from stetho.checks.evidence.praised import LOGARITHMS
from stetho.checks.run.series import Array
from stetho.checks.window import Window
from stetho.findings.finding import Finding

DISTANCES = ("MseLoss", "L1Loss", "SmoothL1Loss", "HuberLoss", "NllLoss", "NllLoss2D", "BinaryCrossEntropy",
             "BinaryCrossEntropyWithLogits", "Pow", "Abs")  # fmt: skip
REDUCING = ("Mean", "Sum", "Div", "Mul", "Gather", "Sub", "Add", "Logsumexp")
WORDS = {"Pow": "squared distance", "Abs": "distance", "LogSoftmax": "log-likelihood", "Log": "log-likelihood"}
RUN_AWAY = 50.0
AWAY = 5.0
LOST = 1e4
"""So far below 0 no likelihood goes; what comes there swings as widely as it is far away."""


def endless_fall(window: Window, growth: float) -> Finding | None:
    """A loss that falls from below 0 to `growth` times that, or from above 0 to far below, and what makes it."""
    losses = window.loss_series().finite.values
    first, last = beginning(losses, 0.02), ending(losses)
    if len(losses) < 10 or not ((first < 0 and last < growth * first) or _runs_away(losses)):
        return None
    for graph, chain in ways_to(window, DISTANCES):
        way = [op for op in chain if op.op not in RESHAPING]
        place = next((place for place, op in enumerate(way) if op.op not in (*REDUCING, *TURNING)), len(way))
        end = way[place].op if place < len(way) else ""
        negated = is_negated(way[: place + 1])
        # What is one term of several must have run away for it: a bonus or a penalty has its bounds.
        is_term = any((op.inputs or 1) > 1 for op in way[:place])
        if is_term and last > RUN_AWAY * min(first, -1.0) and not _runs_away(losses):
            continue
        if (negated and end in DISTANCES) or (not negated and end in LOGARITHMS):
            whole = "a term of the loss" if is_term else "the loss"
            what = f"minus a {WORDS.get(end, end)}" if negated else f"a {WORDS.get(end, end)} without a minus"
            return window.finding(
                f"{whole} is {what} and falls without end, from {first:.3g} to {last:.3g}",
                where=window.at(graph.place or window.line("backward")),
                confidence=0.9,
                loss=losses,
            )
    return None


def _runs_away(losses: Array) -> bool:
    """Whether a loss that began above 0 is far below it, and falls on."""
    first, last = beginning(losses, 0.02), ending(losses)
    later = float(np.median(losses[int(0.6 * len(losses)) : int(0.7 * len(losses)) + 1]))
    if first < 0 or last > -AWAY * max(first, 1.0):
        return False
    return later - last > 0.15 * (first - last) or last < -LOST * max(first, 1.0)
