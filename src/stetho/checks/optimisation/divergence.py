"""divergence: the loss leaves its start upwards and does not come back."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.curve import is_adversarial, main_curve
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(severity="error", explains=("collapsed-output", "metric-not-following", "activation-scale", "stopped-early"))
def divergence(window: Window, *, rise: float = 3.0, least: int = 10) -> Finding | None:
    """The loss grows, or is no number any more.

    ## What it finds
    A loss that ends as NaN or infinite, or above `rise` times both its start and its noise, after `least` steps. It
    is a symptom: its cause, if another check knows one, comes first.

    ## Why it matters
    The weights are lost from there on; nothing after that step is worth its time.

    ## What to try
    Lower the learning rate, clip the gradients, and look at the step where the loss first rose.

    ## When it is wrong
    The loss of one player in a game of two may rise for good reasons: a note. Steps that a gradient scaler skips
    are no divergence.
    """
    curve = main_curve(window)
    if curve.count < least:
        raise Skip(f"fewer than {least} losses were seen")
    steps, values = curve.series.steps, curve.series.values
    if not curve.ends_finite:
        first = int(steps[~np.isfinite(values)][0])
        title = f"the loss is no number from step {first} on"
    elif curve.start > 0 and curve.end > rise * curve.start and curve.end - curve.start > 3 * _noise_at_start(values):
        first = int(steps[values > rise * curve.start][0])
        title = f"the loss rises from {curve.start:.3g} to {curve.end:.3g}"
    else:
        return None
    return window.finding(
        title,
        where=window.at(window.line("backward")),
        steps=(first, int(steps[-1]), int(np.count_nonzero(steps >= first))),
        severity="note" if is_adversarial(window) and curve.ends_finite else None,
        confidence=0.75,
        loss=values,
        grad_norm=window.steps["grad_norm"],
    )


def _noise_at_start(values: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> float:
    first = values[np.isfinite(values)][:10]
    return float(np.median(np.abs(np.diff(first)))) if len(first) > 1 else 0.0
