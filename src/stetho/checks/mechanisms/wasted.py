"""Backward passes whose gradients are set to zero before any step takes them."""

import numpy as np

from stetho.checks.evidence.curve import main_curve
from stetho.checks.evidence.outcome import error_left
from stetho.checks.evidence.searching import searches
from stetho.checks.window import Window
from stetho.findings.finding import Finding

FEWEST_UPDATES = 3
FEWEST_PASSES = 4
"""Two or three passes for one update may each have their part in it: an attack on the input, one for each task."""


def wasted_passes(window: Window, backwards: int, lost: float) -> Finding | None:
    """Updates that each take one backward pass of many, while the gradients of all others are thrown away."""
    counts, left = window.steps["backwards"], error_left(window)
    many = [order for order, count in zip(window.orders, counts, strict=True) if count >= FEWEST_PASSES]
    wasted = [
        sum(_is_wasted(order, at) for at in range(len(order))) / max(order.count("backward"), 1) for order in many
    ]
    if len(many) < max(FEWEST_UPDATES, 0.9 * window.count) or np.median(wasted) < lost or not _goes_badly(left, window):
        return None
    if len(window.optimizers) > 1 or searches(window):
        return None
    each = float(np.median(counts))
    return window.finding(
        f"{backwards} backward passes and {window.count} updates: the gradients of {each - 1:.0f} in {each:.0f} are "
        "set to zero before a step",
        where=window.at(window.line("step")),
        confidence=0.95,
        try_next="Call `optimizer.step()` after each `backward()`; to accumulate the gradients of several passes, call "
        "`zero_grad()` only after a step.",
        backward_passes=backwards,
        updates=window.count,
    )


def _goes_badly(left: float | None, window: Window) -> bool:
    """Gradients of many passes may be gathered by hand, each on its own: then all goes well.

    Right answers alone do not say so: a little of a loss that hardly falls is enough for many of them.
    """
    crawls = main_curve(window).fall < 0.3
    return crawls if left is None else left > 0.5 or (crawls and left > 0.1)


def _is_wasted(order: list[str], at: int) -> bool:
    """Whether a backward pass is followed by zeroing and by a new forward pass: nothing is done with its gradients."""
    return order[at : at + 3] == ["backward", "zero_grad", "forward"]
