"""exploding-gradient: finite gradients that grow from layer to layer, or from step to step."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.curve import main_curve
from stetho.checks.evidence.depth import weighted_layers
from stetho.checks.evidence.weights import trained_weights
from stetho.checks.mechanisms.recurrence import through_time
from stetho.checks.run.facts import Layer
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(
    severity="error",
    explains=("divergence", "overflow", "loss-spike", "learning-rate-too-high", "dead-relu", "loss-plateau",
              "loss-scale-collapse", "collapsed-output", "activation-scale", "metric-not-following",
              "saturated-activation", "initial-loss-off", "vanishing-gradient", "learning-rate-too-low"),
)  # fmt: skip
def exploding_gradient(
    window: Window, *, depth: float = 50.0, size: float = 10.0, growth: float = 1e3
) -> Finding | None:
    """The gradient grows out of all proportion.

    ## What it finds
    In the first step, activations that grow by more than `depth` on their way through the layers (or through time),
    and gradients that grow as much on their way back, to more than `size` times the weights. Or a gradient norm
    that grows by more than `growth` over its level in the first steps, and stays there. Or a recurrent layer with ReLU
    that begins with weights which make its state larger at every moment, in a model that does not learn.

    ## Why it matters
    Every step is thrown by the largest gradient; the next overflow is near.

    ## What to try
    Clip the gradient norm, use an initialisation of a smaller scale, normalisation layers, or fewer steps through
    time.

    ## When it is wrong
    Losses that are sums, and targets that are not scaled, have large gradients too; they do not grow over the layers.
    """
    norms = window.steps["grad_norm"]
    finite = norms[np.isfinite(norms)]
    if not len(finite):
        raise Skip("gradient norms were not measured")
    layers = weighted_layers(window)
    forward, backward = (_at_start(window, stat) for stat in ("act.rms", "act_grad.rms"))
    further = max(forward) / forward[0] if forward and forward[0] > 0 else 1.0
    back = backward[0] / backward[-1] if backward and backward[-1] > 0 else 1.0
    is_deep = min(further, back) > depth and _relative_gradient(window) > size
    start = float(np.median(finite[:5]))
    over_time = float(np.max(finite)) / max(start, 1e-30)
    is_growing = len(finite) > 10 and over_time > growth and np.median(finite[-5:]) > 10 * start
    if not is_deep and not (is_growing and np.max(finite) > 10 * size):
        return through_time(window)
    what = f"{back:.2g} times over {len(backward)} layers" if is_deep else f"{over_time:.2g} times over the steps"
    return window.finding(
        f"gradients grow {what}, to a norm of {np.max(finite):.2g}",
        where=window.at(_place(window, layers) if is_deep else None),
        # What the very first gradient shows cannot come from the learning rate.
        confidence=0.94 if is_deep else 0.75,
        grad_norm=norms,
        activation_by_depth=forward,
        gradient_by_depth=backward,
        loss=main_curve(window).series.values,
    )


def _at_start(window: Window, stat: str) -> list[float]:
    """A stat of each weighted layer in the first step."""
    series = [window.layer_stat(stat, layer) for layer in weighted_layers(window)]
    return [one.first for one in series if one is not None and len(one) and one.steps[0] <= 1]


def _relative_gradient(window: Window) -> float:
    """The gradient in the first step over the size of the weight; the median of all weights."""
    found = []
    for weight in trained_weights(window):
        gradient, size = (window.parameter_stat(stat, weight) for stat in ("grad.rms", "param.rms"))
        if gradient is not None and size is not None and len(gradient) and size.first > 0:
            found.append(gradient.first / size.first)
    return float(np.median(found)) if found else 0.0


def _place(window: Window, layers: list[Layer]) -> str | None:
    """Where the program set the weights of these layers itself, or else where a layer in the middle is used."""
    names = {layer.name for layer in layers}
    set_at = (p.initialised for p in window.parameters if p.layer in names and p.initialised)
    return next(set_at, None) or (_used(window, layers[len(layers) // 2]) if layers else None)


def _used(window: Window, layer: Layer) -> str | None:
    """Where a layer is used, or where the number is written that its output is multiplied by there."""
    line = window.use_line(layer)
    return window.given(line, "factor") if line == layer.called else line
