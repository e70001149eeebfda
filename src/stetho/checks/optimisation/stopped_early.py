"""stopped-early: the loss was still falling when the training ended."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.curve import is_supervised, main_curve
from stetho.checks.evidence.outcome import error_left
from stetho.checks.evidence.rounds import broken_off
from stetho.checks.run.series import Array, Series
from stetho.checks.window import Window
from stetho.findings.finding import Finding

MUCH_LEFT, SOME_LEFT = 0.5, 0.15
FASTER = 0.55
"""A loss that falls evenly falls by half of it all in the second half."""
SHORT = 40
"""A run of fewer steps is a trial, unless its loss has come far, and falls faster and faster."""
UNDER_WAY = 0.4
LEAST_EVALUATIONS = 6
UNSEEN = 1.2
"""A run that went on for a fifth more steps, in which nobody looked, may have ended anywhere."""


@check(severity="note", needs_end=True)
def stopped_early(
    window: Window, *, fall: float = 0.1, least: int = 20, most: float = 0.4, far: float = 0.7
) -> Finding | None:
    """More steps would have helped.

    ## What it finds
    In the second half of the run (of at `least` so many steps) the loss still fell by more than twice the share `fall`
    of all it has fallen, clearly more than its noise. A warning if that is more than the share `most` of the fall,
    of a supervised loss that is still above `far` times its start, at a rate that was not lowered; or if more than half
    of the error of a guess is left, or a seventh, and the loss fell faster in the second half than in the first. A loop
    that was left before its rounds were over, while the evaluation was at its best, is told by the line that left it.

    ## Why it matters
    The score is that of an unfinished training, and says little about model and data.

    ## What to try
    Train longer, or raise the learning rate if the fall is slow and even.

    ## When it is wrong
    A short trial run: it is a note, unless the loss falls as fast as ever when it ends and has hardly come down.
    """
    curve = main_curve(window)
    if curve.count < least or not curve.ends_finite:
        raise Skip(f"fewer than {least} losses were seen")
    if (window.info.get("steps") or 0) > UNSEEN * curve.series.steps[-1]:
        raise Skip("the last steps were not looked at")
    half = _second_half(curve.series.finite)
    if len(half) < least // 2:
        raise Skip("hardly any of the later steps were looked at")
    slope, error = _line(half)
    fallen, whole = -slope * float(half.steps[-1] - half.steps[0] + 1), curve.start - curve.end
    if whole <= 0 or curve.fall < 0.03 or fallen < 2 * fall * whole or -slope < 4 * error:
        return None
    is_clear = fallen > most * whole and curve.end > far * curve.first and -slope > 8 * error and curve.count >= SHORT
    left = error_left(window) or 0.0
    broken = broken_off(window) if _is_at_its_best(window) else None
    is_clear |= left > MUCH_LEFT and -slope > 6 * error and (curve.count >= SHORT or broken is not None)
    is_trial = curve.count < SHORT and curve.fall < UNDER_WAY
    is_clear |= left > SOME_LEFT and fallen > FASTER * whole and -slope > 8 * error and not is_trial
    part = max(len(half) // 5, 1)
    return window.finding(
        f"the loss still fell from {_level(half.values[:part]):.3g} to {_level(half.values[-part:]):.3g} "
        f"in the second half of {half.steps[-1] - curve.series.steps[0] + 1} steps"
        + (f", and the loop of {broken[1]} rounds was left with the evaluation at its best" if broken else ""),
        where=window.at((broken[0] if broken else None) or window.line("rounds") or window.line("step")),
        severity="warning" if is_clear and is_supervised(window) and not _is_lowered(window) else None,
        confidence=0.6,
        loss=curve.series.values,
    )


def _is_at_its_best(window: Window) -> bool:
    """Whether no evaluation was better than the last ones: no rule that waits for a turn ends a training there."""
    losses = window.metric("loss", "eval")
    values = losses.finite.values if losses is not None else np.zeros(0)
    return len(values) >= LEAST_EVALUATIONS and bool(values[-2:].max() <= values[:-2].min())


def _is_lowered(window: Window) -> bool:
    """Whether a schedule brought the rate down: the end was planned."""
    rates = window.steps["lr"][np.isfinite(window.steps["lr"])]
    return len(rates) > 1 and bool(rates[-1] < 0.5 * rates.max())


def _second_half(series: Series) -> Series:
    """The later half by steps: of the first ones more may have been looked at than of all others."""
    later = series.steps > (series.steps[0] + series.steps[-1]) / 2
    return Series(series.steps[later], series.values[later])


def _line(series: Series) -> tuple[float, float]:
    """A straight line through some values: its slope for each step, and the error of that."""
    place = series.steps - series.steps.mean()
    spread = float((place**2).sum())
    slope = float((place * series.values).sum() / spread)
    rest = series.values - series.values.mean() - slope * place
    return slope, float(np.sqrt((rest**2).sum() / max(len(series) - 2, 1) / spread))


def _level(values: Array) -> float:
    return float(np.median(values))
