"""Weights that a penalty in the loss pulls to zero, without weight decay in the optimizer."""

import numpy as np

from stetho.checks.declare import Skip
from stetho.checks.evidence.curve import main_curve
from stetho.checks.evidence.weights import trained_weights
from stetho.checks.window import Window
from stetho.findings.finding import Finding


def penalised(window: Window) -> Finding | None:
    """Weights that fall to nothing without decay in the optimizer: the loss itself pulls them."""
    sizes = [window.parameter_stat("param.rms", weight) for weight in trained_weights(window)]
    ratios = [one.last / one.first for one in sizes if one is not None and len(one) > 9 and one.first > 0]
    if len(ratios) < 2:
        raise Skip("there is no weight decay")
    curve = main_curve(window)
    shrinking = float(np.median(ratios))
    # The penalty is a part of this loss, so its fall tells nothing.
    if not shrinking < 0.05:
        return None
    return window.finding(
        f"weights shrink to {shrinking:.1%} of their size without weight decay: the loss itself pulls them to zero",
        where=window.at(window.line("backward")),
        confidence=0.85,
        try_next="Lower the penalty on the weights that is added to the loss by a factor of 100.",
        shrinking=shrinking,
        loss=curve.series.values,
    )
