"""A choice by scores that stay so small that none of them can ever win."""

import math

from stetho.checks.window import Window
from stetho.findings.finding import Finding

MOST_OF_A_GUESS = 0.7
SMALL = 1.0
"""Products of unit vectors as they are can still be told apart, and some keep them so on purpose."""


def bounded(window: Window) -> Finding | None:
    """Scores that are products of unit vectors, times a number that is too small for their loss to fall."""
    found = window.probes.get("bounded", {})
    bound, choices = float(found.get("bound", math.inf)), int(found.get("choices", 0))
    if choices < 2 or not bound < math.inf:
        return None
    floor, guess = math.log1p((choices - 1) * math.exp(-2 * bound)), math.log(choices)
    calls = [loss for loss in window.losses if loss.phase == "train" and loss.call == "cross_entropy"]
    if floor < MOST_OF_A_GUESS * guess or bound >= SMALL:
        return None
    return window.finding(
        f"scores are products of vectors of one length and stay between {-bound:.3g} and {bound:.3g}: with {choices} "
        f"choices the loss cannot fall below {floor:.3g}, and a guess has {guess:.3g}",
        where=window.at(calls[0].line if calls else window.loss_line()),
        confidence=0.95,
        try_next="Divide the scores by the temperature; to multiply with it makes them small.",
        floor=floor,
        guess=guess,
    )
