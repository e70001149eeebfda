"""Weights that a program multiplies by itself, outside of layers: which of their sides is the input is not known."""

from math import sqrt

import numpy as np

from stetho.checks.evidence.curve import main_curve
from stetho.checks.evidence.guess import guessed_loss
from stetho.checks.evidence.outcome import ends_well
from stetho.checks.evidence.weights import is_from_the_start, trained_weights
from stetho.checks.run.facts import Parameter
from stetho.checks.window import Window
from stetho.findings.finding import Finding

SURE = 2.0
"""Tables of vectors look like weights, so that more is asked of bare ones."""


def badly_scaled(window: Window, large: float, small: float, layers: int) -> Finding | None:
    """Bare weights that scale a signal by far too much or too little, whichever side they are used from."""
    weights = bare_weights(window)
    curve = main_curve(window)
    if len(weights) < layers or curve.count < 10 or ends_well(window):
        return None
    gains = {weight: _gains(window, weight) for weight in weights}
    guess = guessed_loss(window)
    is_far_off = not curve.ends_finite or curve.first > 3 * max(curve.best, 0.0)
    # A loss that is high to the end has no low point to be compared with.
    is_far_off = is_far_off or (guess is not None and min(curve.first, curve.end) > 3 * guess)
    too_large = [weight for weight, (least, _) in gains.items() if least > SURE * large and is_far_off]
    too_small = [weight for weight, (_, most) in gains.items() if most < small / SURE and curve.fall < 0.1]
    for bad, word in ((too_large, "large"), (too_small, "small")):
        if len(bad) >= layers and len(bad) >= 0.5 * len(weights):
            gain = float(np.exp(np.mean([np.log(gains[weight][word == "small"]) for weight in bad])))
            return window.finding(
                f"{len(bad)} of {len(weights)} weights begin too {word}: each scales its input by {gain:.2g}; "
                f"the loss begins at {curve.first:.3g}",
                where=window.at(bad[0].initialised or _optimizer_line(window), parameter=bad[0]),
                steps=(1, 1, 1),
                confidence=0.85,
                gains=[gains[weight][0] for weight in weights],
                loss=curve.series.values,
            )
    return None


def _optimizer_line(window: Window) -> str | None:
    return window.optimizers[0].line if window.optimizers else None


def bare_weights(window: Window) -> list[Parameter]:
    """Matrices that no layer without layers below it holds, measured before the first update."""
    leaves = {(layer.model, layer.name) for layer in window.forward_order if layer.name}
    return [
        weight
        for weight in trained_weights(window)
        if len(weight.shape) == 2
        and min(weight.shape) > 1
        and (weight.model, weight.layer) not in leaves
        and is_from_the_start(window, weight, window.parameter_stat("param.rms", weight))
    ]


def _gains(window: Window, weight: Parameter) -> tuple[float, float]:
    """By how much a weight scales a signal, from the side that makes it least and from the other."""
    size = window.parameter_stat("param.rms", weight)
    first = size.first if size is not None else float("nan")
    return first * sqrt(min(weight.shape)), first * sqrt(max(weight.shape))
