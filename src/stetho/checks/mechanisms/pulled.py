"""Losses with a margin for distances: whether those that are made small were the smaller ones to begin with.

Two samples of one class, drawn at random, are on the average never farther apart than two of different classes,
whatever the model makes of them: half the difference of the squared distances is the spread of the classes' means.
"""

import numpy as np

from stetho.checks.run.series import Array
from stetho.checks.window import Window
from stetho.findings.finding import Finding

FIRST = 20
LEAST = 8
CLEARLY = 0.1
SURE = 4.0
LEAST_INPUTS = 30
LEARNT = 0.5


def pulled(window: Window) -> Finding | None:
    """What the loss pulls together lies farther apart, before anything is learnt, than what it pushes apart."""
    near, far, near_inputs, far_inputs = window.probed("pairs", "pulled", "pushed", "pulled_inputs", "pushed_inputs")
    is_learnt = len(near) > 0 and float(np.median(near[-5:])) < LEARNT * float(np.median(far[-5:]))
    if window.probes.get("pairs", {}).get("chosen"):
        return None
    if len(near) >= LEAST and _is_reversed(near[:FIRST], far[:FIRST], CLEARLY):
        where, both = "at the start", (near[:FIRST], far[:FIRST])
    elif len(near_inputs) >= LEAST_INPUTS and not is_learnt and _is_reversed(near_inputs, far_inputs, CLEARLY / 5):
        where, both = "in the inputs", (near_inputs, far_inputs)
    else:
        return None
    line = window.probes["pairs"].get("line")
    return window.finding(
        f"the loss pulls together what lies farther apart {where} ({both[0].mean():.3g} on the average) than what it "
        f"pushes apart ({both[1].mean():.3g})",
        where=window.at(str(line) if line else window.loss_line()),
        confidence=0.9,
        try_next="Exchange both: what belongs together must come nearer when the loss falls.",
        pulled=near,
        pushed=far,
    )


def _is_reversed(near: Array, far: Array, share: float) -> bool:
    """Whether the distances that are made small are the larger ones, beyond doubt."""
    apart, size = near - far, float(np.mean(np.abs(near) + np.abs(far)) / 2)
    return bool(apart.mean() > share * size and apart.mean() > SURE * apart.std() / np.sqrt(len(apart)))
