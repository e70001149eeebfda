"""Inputs and targets that a program shuffles each in an order of its own, and a loss that finds nothing to learn."""

import numpy as np

from stetho.checks.evidence.curve import main_curve
from stetho.checks.window import Window
from stetho.findings.finding import Finding

LEAST_LOSSES = 40
STANDS = 0.9


def shuffled_apart(window: Window) -> Finding | None:
    """The text says that rows were parted, and the loss of the last steps is that of the first epochs.

    How often labels occur can be learnt all the same, so what counts is the time after the first fifth.
    """
    line, losses = window.line("shuffled apart"), main_curve(window).values
    if line is None or len(losses) < LEAST_LOSSES:
        return None
    part = len(losses) // 5
    early, late = (float(np.median(each)) for each in (losses[part : 2 * part], losses[-part:]))
    if not early > 0 or late < STANDS * early:
        return None
    return window.finding(
        f"two arrays that go together are shuffled each by itself, and the loss stays at {late:.3g} after {early:.3g} "
        "early in the run: rows and labels no longer belong together",
        where=window.at(line),
        confidence=0.92,
        try_next="Draw one order and use it for both: order = torch.randperm(n); x, y = x[order], y[order].",
        loss=losses,
    )
