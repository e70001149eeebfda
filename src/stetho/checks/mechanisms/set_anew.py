"""Parameters that a program initialises again in every step: no step begins where the one before it ended."""

import numpy as np

from stetho.checks.evidence.curve import main_curve
from stetho.checks.run.facts import Parameter
from stetho.checks.window import Window
from stetho.findings.finding import Finding

MOST = 0.8
ROUNDING = 1e-3
HARDLY = 0.1
LEAST = 5


def set_anew(window: Window) -> Finding | None:
    """Parameters that the loop initialises before each step."""
    count = _count(window)
    if not count:
        return None
    return window.finding(
        f"{count} of {len(window.parameters)} parameters are set anew before nearly every step: no update lasts",
        where=window.at(window.line("reset")),
        confidence=0.95,
        try_next="Initialise once, before the loop.",
        parameters=count,
    )


def _count(window: Window) -> int:
    """How many parameters are set anew in most steps, where the program names an initialisation in its loop.

    Constraints and averages change parameters between steps as well; what they change still learns.
    """
    if window.line("reset") is None or window.line("load_state_dict") is not None:
        return 0
    curve = main_curve(window)
    if not curve.ends_finite or curve.fall > HARDLY:
        return 0
    shares = [share for each in window.parameters if (share := moved_by_others(window, each)) is not None]
    count = sum(share >= MOST for share in shares)
    return count if count > len(shares) / 2 else 0


def moved_by_others(window: Window, parameter: Parameter) -> float | None:
    """In which share of the steps a parameter is not what its last update made of it, by their means."""
    wanted = ("param.mean", "update.mean", "param.rms", "update.rms", "param.count", "update.count")
    series = [each for stat in wanted if (each := window.parameter_stat(stat, parameter)) is not None]
    if len(series) < len(wanted) or len({len(each) for each in series}) > 1:
        return None
    mean, moved, size, step, count, measured = (each.values for each in series)
    # Of a sample of the updates the mean is another one.
    following = (np.diff(series[0].steps) == 1) & (count == measured)[:-1]
    if following.sum() < LEAST:
        return None
    off = np.abs(np.diff(mean) - moved[:-1]) > ROUNDING * (size + step)[:-1]
    return float(off[following].mean())
