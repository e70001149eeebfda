"""A learning rate that is gone while the model still learns: a schedule that falls too fast for its epochs."""

import numpy as np

from stetho.checks.evidence.curve import Curve, is_adversarial, main_curve
from stetho.checks.evidence.outcome import WELL, error_left
from stetho.checks.run.series import Array
from stetho.checks.window import Window
from stetho.findings.finding import Finding

ALIVE = 0.3
"""While the rate is above this share of its highest, it is the one that was chosen for learning."""
STILL_FALLING = 0.15
LEAST_LEARNING = 12


def used_up(window: Window, collapse: float, half: float) -> Finding | None:
    """A rate below `collapse` of its highest before the share `half` of the run, whose loss was still coming down."""
    curve, rates = main_curve(window), window.steps["lr"]
    known = np.isfinite(rates)
    reacts = any(each.kind == "ReduceLROnPlateau" for each in window.schedulers)
    if reacts or is_adversarial(window) or known.sum() < 4 * LEAST_LEARNING or not curve.ends_finite:
        return None
    low = np.flatnonzero(known & (rates < collapse * rates[known].max()))
    is_early = len(low) > 0 and window.steps["step"][low[0]] < half * window.last_step and np.nanargmax(rates) < low[0]
    if not is_early or np.nanmax(rates[low[0] :]) > 10 * collapse * np.nanmax(rates):
        return None
    left, learning = error_left(window), _learning(curve, window, rates)
    is_unfinished = left > WELL if left is not None else curve.fall < 0.7
    if not is_unfinished or not _falls(learning):
        return None
    first, scheduler = int(window.steps["step"][low[0]]), next(iter(window.schedulers), None)
    return window.finding(
        f"the learning rate fell from {np.nanmax(rates):.2g} to {rates[known][-1]:.2g} and is below {collapse:g} of it "
        f"since step {first} of {window.last_step}; the loss was still falling, and stands at {curve.end:.3g} of "
        f"{curve.start:.3g}",
        where=window.at(window.given(scheduler.line, "gamma") if scheduler is not None else window.line("scheduler")),
        steps=(first, window.last_step, window.last_step - first + 1),
        confidence=0.85,
        try_next="Lower the rate more slowly: it should reach a hundredth only near the end of the run.",
        learning_rate=rates[known],
        loss=curve.series.values,
    )


def _learning(curve: Curve, window: Window, rates: Array) -> Array:
    """The losses up to the step where the rate leaves the height that it was given."""
    gone = np.flatnonzero(rates < ALIVE * np.nanmax(rates))
    gone = gone[gone > int(np.nanargmax(rates))]
    last = int(window.steps["step"][gone[0]]) if len(gone) else window.last_step
    return curve.series.between(0, last).finite.values


def _falls(values: Array) -> bool:
    """Whether the last third of some losses is clearly below the one before it."""
    if len(values) < LEAST_LEARNING:
        return False
    _, middle, end = np.array_split(values, 3)
    return bool(np.median(middle) - np.median(end) > STILL_FALLING * abs(np.median(middle)))
