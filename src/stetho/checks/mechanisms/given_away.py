"""Targets that stand in their own input, number for number."""

import math

from stetho.checks.evidence.inputs import content_line
from stetho.checks.window import Window
from stetho.findings.finding import Finding

LEAST = 150
BY_CHANCE = 1.5
"""Correlations of so many times what is expected of the largest of many that mean nothing, mean nothing."""


def given_away(window: Window) -> Finding | None:
    """The last step of a sequence, or a column of a table, that is the target in every sample that was looked at.

    An earlier step may be meant: to remember what came first is a usual exercise. And where nothing else in the input
    tells of the target, there is no forecast that it could spoil: numbers drawn at random, of which one is asked for.
    """
    found = window.probes.get("copied", {})
    samples, place, shape = int(found.get("samples", 0)), list(found.get("place", ())), list(found.get("shape", ()))
    if samples < LEAST or not place or len(place) != len(shape):
        return None
    if len(place) > 1 and place[0] != shape[0] - 1:
        return None
    chance = BY_CHANCE * math.sqrt(2 * math.log(2 * math.prod(shape)) / samples)
    if float(found.get("others", 1.0)) < chance:
        return None
    what = (
        "the last step of its input" if len(place) > 1 else f"element {place[0] + 1} of {math.prod(shape)} of its input"
    )
    return window.finding(
        f"in each of {samples} samples the target is {what}, to the last digit: there is nothing to predict",
        where=window.at(window.given(content_line(window), "gathered")),
        severity="warning",
        confidence=0.9,
        try_next="End the window one step before the target, or take the target's column out of the inputs.",
        samples=float(samples),
    )
