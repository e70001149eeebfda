"""What schedules did to the learning rate."""

import numpy as np

from stetho.checks.run.described import BRING_A_RATE
from stetho.checks.window import Window

RAISED = 3.0


def raised_at(window: Window) -> str | None:
    """Where the one schedule is set that made the rate many times what the program gave to the optimizer."""
    rates = window.steps["lr"][np.isfinite(window.steps["lr"])]
    given = window.optimizers[0].number("initial_lr") if window.optimizers else None
    if given is None or not len(rates) or rates.max() <= RAISED * max(given, float(rates[0])):
        return None
    schedules = [each for each in window.schedulers if each.kind not in BRING_A_RATE]
    return window.given(schedules[0].line, "gamma") if len(schedules) == 1 else None
