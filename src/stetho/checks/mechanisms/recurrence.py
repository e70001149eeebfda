"""Recurrent weights that make a state larger each time they are applied."""

from stetho.checks.evidence.curve import main_curve
from stetho.checks.evidence.depth import WEIGHTED
from stetho.checks.evidence.outcome import error_left
from stetho.checks.evidence.weights import trained_weights
from stetho.checks.run.facts import Parameter
from stetho.checks.window import Window
from stetho.findings.finding import Finding

RELU_GAIN = 1.65
"""ReLU takes half of a signal, so that a weight with a gain of 1.41 keeps its size."""
BY_FAR = 20.0


def through_time(window: Window) -> Finding | None:
    """A state that nothing bounds, and that grows at every moment of a sequence."""
    left = error_left(window)
    if left is not None and left < 0.5:
        return None
    for weight in trained_weights(window):
        layer, size = window.layer(weight.layer, weight.model), window.parameter_stat("param.rms", weight)
        own = _own_recurrence(window, weight)
        if own is not None:
            return own
        if layer is None or layer.setting("nonlinearity") not in ("relu", "'relu'") or "weight_hh" not in weight.name:
            continue
        gain = size.first * weight.shape[1] ** 0.5 if size is not None and len(size) and size.steps[0] <= 1 else 0.0
        if gain > RELU_GAIN and (left is not None or main_curve(window).fall < 0.2):
            return window.finding(
                f"{weight.name} makes the state {gain / 2**0.5:.2f} times as large at every moment of a sequence, and "
                "ReLU does not bound it",
                where=window.at(weight.initialised, parameter=weight),
                confidence=0.85,
                gain=gain,
            )
    return None


def _own_recurrence(window: Window, weight: Parameter) -> Finding | None:
    """A square weight of a layer written by hand that gets a gradient far above its own size in the first step."""
    layer, size, gradient = (
        window.layer(weight.layer, weight.model),
        *(window.parameter_stat(stat, weight) for stat in ("param.rms", "grad.rms")),
    )
    is_square = len(weight.shape) == 2 and weight.shape[0] == weight.shape[1]
    is_by_hand = layer is None or not layer.is_kind(*WEIGHTED, "Embedding", "LSTM", "GRU", "RNN", "Multihead")
    if not (is_square and is_by_hand) or size is None or gradient is None or not len(size) or not len(gradient):
        return None
    gain, share = size.first * weight.shape[1] ** 0.5, gradient.first / max(size.first, 1e-30)
    if size.steps[0] > 1 or gradient.steps[0] > 1 or gain < 1.2 or not share > BY_FAR:
        return None
    return window.finding(
        f"the first gradient of {weight.name} is {share:.2g} times the weight, which makes a signal {gain:.2f} times "
        "as large each time it is applied",
        where=window.at(weight.initialised, parameter=weight),
        confidence=0.94,
        gain=gain,
        grad_norm=window.steps["grad_norm"],
    )
