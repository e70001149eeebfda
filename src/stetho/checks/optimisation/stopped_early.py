"""stopped-early: the loss was still falling when the training ended."""

import numpy as np

from stetho.checks.curve import main_curve
from stetho.checks.declare import Skip, check
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(severity="note", needs_end=True)
def stopped_early(window: Window, *, fall: float = 0.1, least: int = 40) -> Finding | None:
    """More steps would have helped.

    ## What it finds
    In the last quarter of the run (of at `least` so many steps) the loss still fell by more than the share `fall` of
    all it has fallen, clearly more than its noise.

    ## Why it matters
    The score is that of an unfinished training, and says little about model and data.

    ## What to try
    Train longer, or raise the learning rate if the fall is slow and even.

    ## When it is wrong
    A short trial run. It is never more than a note.
    """
    curve = main_curve(window)
    if curve.count < least or not curve.ends_finite:
        raise Skip(f"fewer than {least} losses were seen")
    quarter = curve.values[-max(len(curve.values) // 4, 6) :]
    before, after = (float(np.median(part)) for part in np.array_split(quarter, 3)[::2])
    whole = curve.start - curve.end
    if whole <= 0 or curve.fall < 0.05 or before - after < max(fall * whole, 1.5 * curve.noise):
        return None
    return window.finding(
        f"the loss still fell from {before:.3g} to {after:.3g} in the last quarter of {curve.count} steps",
        where=window.at(window.line("step")),
        confidence=0.6,
        loss=curve.series.values,
    )
