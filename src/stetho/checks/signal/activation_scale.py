"""activation-scale: activations far outside of a healthy size, and the layer where that begins."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.curve import main_curve
from stetho.checks.evidence.depth import following, late, weighted_layers
from stetho.checks.evidence.outcome import error_left
from stetho.checks.model.too_small_model import CLASSIFIERS
from stetho.checks.run.facts import Layer
from stetho.checks.window import Window
from stetho.findings.finding import Finding

TINY = 0.01


@check(
    severity="note",
    explains=("saturated-activation", "vanishing-gradient", "exploding-gradient", "initial-loss-off",
              "collapsed-output", "learning-rate-too-low", "loss-plateau", "stopped-early"),
)  # fmt: skip
def activation_scale(window: Window, *, large: float = 1e3, small: float = 1e-4, loud: float = 1e6) -> Finding | None:
    """Activations that are very large or very small.

    ## What it finds
    A layer whose output has a size (root mean square) above `large` or below `small` in the second half of the run,
    and whose neighbour before it has not. Above `loud` it is a warning, as are hidden layers of a classifier that
    begin above `large` with inputs of a usual size. A number between two layers that leaves less than a hundredth of
    a signal is an error where the model does not learn.

    ## Why it matters
    Large activations saturate what follows and overflow in half precision; small ones carry no signal.

    ## What to try
    Look at the layer that is named: its initialisation, a missing normalisation, inputs that are not scaled.

    ## When it is wrong
    Regression of large numbers ends in large outputs, and a layer that begins at zero on purpose in small ones.
    """
    sizes = [(layer, float(np.median(one))) for layer in window.forward_order
             if len(one := late(window.layer_stat("act.rms", layer)))]  # fmt: skip
    if len(sizes) < 2:
        raise Skip("no activations were measured")
    found = _taken_away(window) or _large_at_start(window, large)
    if found is not None:
        return found
    before = 1.0
    for layer, size in sizes:
        if (size > large and before <= large) or (0 < size < small and before >= small):
            return window.finding(
                f"the output of {_name(layer)} has a size of {size:.2g}; the layer before has {before:.2g}",
                where=window.at(layer=layer),
                severity="warning" if size > loud else None,
                confidence=0.6,
                size_by_depth=[one for _, one in sizes],
            )
        before = size
    return None


def _large_at_start(window: Window, large: float) -> Finding | None:
    """A classifier whose hidden layers begin with huge values although its inputs are of a usual size."""
    inputs = window.batches("train")["std"]
    is_usual = not np.isfinite(inputs).any() or float(np.nanmedian(inputs)) < 0.1 * large
    is_classifier = any(loss.call in CLASSIFIERS for loss in window.losses)
    hidden = [layer for layer in weighted_layers(window) if following(window, layer)]
    for layer in hidden if is_usual and is_classifier else ():
        size = window.layer_stat("act.rms", layer)
        if size is not None and len(size) and size.steps[0] <= 1 and size.first > large and size.last > large:
            return window.finding(
                f"the output of {_name(layer)} has a size of {size.first:.2g} in the first step",
                where=window.at(layer.called, layer=layer),
                severity="warning",
                confidence=0.8,
                size=size.values,
            )
    return None


def _taken_away(window: Window) -> Finding | None:
    """A factor before a layer that makes its input tiny, in a model that does not learn."""
    left = error_left(window)
    if main_curve(window).fall > 0.2 if left is None else left < 0.5:
        return None
    for layer in weighted_layers(window):
        sources = [edge.source for edge in window.edges if (edge.target, edge.model) == (layer.name, layer.model)]
        size = window.layer_stat("act.rms", sources[0]) if len(sources) == 1 else None
        factors = [each.factor for each in layer.between if each.factor is not None]
        if factors and size is not None and len(size) and min(factors) * size.median() < TINY:
            return window.finding(
                f"{sources[0]} gives values of {size.median():.2g}, and only {min(factors):.2g} of each reach "
                f"{layer.name}: a number between them takes the rest",
                where=window.at(layer.called, layer=layer),
                severity="error",
                confidence=0.92,
                try_next=f"Remove the factor before {layer.name}, or scale once, before the model.",
                factor=min(factors),
            )
    return None


def _name(layer: Layer) -> str:
    """The name of a layer; of one that is the whole model, its class."""
    return layer.name or layer.kind
