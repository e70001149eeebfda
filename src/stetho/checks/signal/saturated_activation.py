"""saturated-activation: a tanh or sigmoid that stands at its ends."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.curve import main_curve
from stetho.checks.evidence.depth import WEIGHTED
from stetho.checks.evidence.outcome import error_left
from stetho.checks.evidence.weights import set_at
from stetho.checks.run.facts import Layer
from stetho.checks.run.series import Array
from stetho.checks.window import Window
from stetho.findings.finding import Finding

SHUT = 1e-3
"""The slope of a sigmoid at 8: a bias of that size takes thousands of steps to come back."""


@check(
    severity="error",
    explains=("vanishing-gradient", "loss-plateau", "learning-rate-too-low", "collapsed-output", "stopped-early",
              "too-small-model", "metric-not-following", "frozen-parameter"),
)  # fmt: skip
def saturated_activation(window: Window, *, slope: float = 0.05, share: float = 0.8) -> Finding | None:
    """Hidden activations at the flat ends of their range.

    ## What it finds
    A tanh or sigmoid between two weighted layers whose mean slope is below `slope` (of 1, its largest) in the share
    `share` of the steps: nearly all of its outputs lie at the ends of its range. Or a gate that is shut or open from
    the first pass on, so far that it cannot learn, in a model that does not learn much.

    ## Why it matters
    A flat activation passes no gradient to what is behind it, and knows only two values.

    ## What to try
    Scale the inputs, use a smaller initialisation, a normalisation layer before the activation, or ReLU.

    ## When it is wrong
    Gates and binary codes are meant to be open or closed. Only activations that feed a linear or convolution layer
    directly are judged; if the loss falls to a fifth all the same, it is a note.
    """
    shut = _shut_gate(window)
    if shut is not None:
        return shut
    found = [(layer, one) for layer in window.forward_order if len(one := slopes(window, layer))]
    if not found:
        raise Skip("there is no tanh or sigmoid between two layers")
    flat = [(layer, one) for layer, one in found if np.mean(one < slope) >= share]
    if not flat:
        return None
    layer, values = flat[0]
    curve = main_curve(window)
    return window.finding(
        f"{layer.name} is at the ends of its range: its mean slope is {np.median(values):.1%} of the largest",
        where=window.at(layer=layer),
        severity="note" if curve.fall > 0.8 else None,
        confidence=0.88 if np.median(values[:5]) < slope else 0.75,
        slope=values,
        layers=", ".join(each.name for each, _ in flat),
        loss=curve.series.values,
    )


def _shut_gate(window: Window) -> Finding | None:
    """A sigmoid or tanh anywhere in a model that nobody has trained, as flat as if it were a constant.

    Gates may begin far open or closed, but with a slope that lets them learn; weights that were loaded have learnt.
    """
    left = error_left(window)
    if window.loads or main_curve(window).fall > 0.5 or (left is not None and left < 0.25):
        return None
    for edge in window.edges:
        source, target = window.layer(edge.source, edge.model), window.layer(edge.target, edge.model)
        if source is None or target is None or not source.is_kind(*WEIGHTED):
            continue
        flat = [one.slope for one in target.between if one.op in edge.ops[:2] and one.slope is not None]
        if {"Sigmoid", "Tanh"} & set(edge.ops[:2]) and flat and max(flat) < SHUT:
            return window.finding(
                f"what follows {source.name} is at the end of its range in the first pass: its mean slope is "
                f"{max(flat):.1e} of the largest",
                where=window.at(set_at(window, source), layer=source),
                confidence=0.9,
                slope=max(flat),
            )
    return None


def slopes(window: Window, layer: Layer) -> Array:
    """The mean slope of a hidden activation over the steps, as a share of its largest; empty if it is none."""
    following = [edge for edge in window.edges if edge.source == layer.name and edge.model == layer.model]
    targets = [window.layer(edge.target, edge.model) for edge in following]
    if not targets or not all(target is not None and target.is_kind(*WEIGHTED) for target in targets):
        return np.empty(0)
    rms, mean = window.layer_stat("act.rms", layer), window.layer_stat("act.mean", layer)
    if rms is None or mean is None:
        return np.empty(0)
    ops = [op for edge in following for op in edge.ops if op not in ("View", "Reshape", "UnsafeView", "Transpose", "T")]
    if layer.is_kind("Tanh") and not ops:
        return np.asarray(1 - rms.values**2)
    if layer.is_kind("Sigmoid") and not ops:
        return np.asarray(4 * (mean.values - rms.values**2))
    steep = [
        one.slope for target in targets if target is not None for one in target.between
        if one.op in ("Tanh", "Sigmoid") and one.slope is not None
    ]  # fmt: skip
    if layer.is_kind(*WEIGHTED) and steep and len(following) == 1 and ops[-1:] in (["Tanh"], ["Sigmoid"]):
        # The function itself was looked at in the first pass; later on, its input has grown or shrunk so much.
        growth = np.maximum(rms.values, 1e-12) / max(rms.values[0], 1e-12) if len(rms) else np.ones(0)
        return np.asarray(np.minimum(min(steep) / growth, 1.0))
    if layer.is_kind(*WEIGHTED) and ops and set(ops) <= {"Tanh", "Sigmoid"}:
        # Only the input of the function is known: at normal values of this size so much lies in the middle.
        width = 1.0 if "Tanh" in ops else 2.0
        return np.asarray(np.minimum(0.8 * width / np.maximum(rms.values, 1e-12), 1.0))
    return np.empty(0)
