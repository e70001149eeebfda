"""A warm-up that is longer than the run: the learning rate never comes near what it was set to."""

import numpy as np

from stetho.checks.evidence.outcome import WELL, error_left
from stetho.checks.window import Window
from stetho.findings.finding import Finding

LEAST_STEPS = 50
MOST_REACHED = 0.2
"""The share of its aim up to which a rate has only begun to rise."""


def endless_warm_up(window: Window) -> Finding | None:
    """A rate that rises from the first step to the last of a finished run, and ends far below its aim."""
    rates = window.steps["lr"][np.isfinite(window.steps["lr"])]
    aim = max((each.number("initial_lr") or 0.0 for each in window.optimizers), default=0.0)
    left = error_left(window)
    is_cut_short = bool((window.info.get("options") or {}).get("steps"))
    if window.is_running or is_cut_short or len(rates) < LEAST_STEPS or (left is not None and left < WELL):
        return None
    is_rising = bool((np.diff(rates) >= 0).all()) and rates[-1] > 2 * rates[0]
    if not is_rising or not 0 < rates[-1] < MOST_REACHED * aim:
        return None
    schedules, steps = [each.line for each in window.schedulers if each.line], window.last_step
    return window.finding(
        f"the learning rate is still warming up after {steps} steps: it has come to {rates[-1]:.2g}, "
        f"{rates[-1] / aim:.1%} of {aim:.2g}",
        where=window.at(window.given(schedules[0], "divisor") if schedules else window.rate_line()),
        severity="warning",
        confidence=0.9,
        try_next=f"Warm up for a tenth of the run at most: {max(steps // 10, 1)} of these {steps} steps.",
        rate=rates,
        loss=window.loss_series().values,
    )
