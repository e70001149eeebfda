"""Weights in the order of the data flow, with the numbers that tell how a signal goes through them."""

from dataclasses import dataclass
from itertools import pairwise
from math import sqrt

import numpy as np

from stetho.checks.evidence.weights import fan_in, trained_weights
from stetho.checks.run.facts import Layer, Parameter
from stetho.checks.run.series import Array, Series
from stetho.checks.window import Window

WEIGHTED = ("Linear", "Conv", "Bilinear", "LazyLinear", "LazyConv")


@dataclass(frozen=True, slots=True)
class WeightAtDepth:
    """A weight with its usual gradient; `gain` is by how much it scales a signal of independent values at the start."""

    parameter: Parameter
    layer: Layer | None
    gradient: float
    gain: float


def weights_by_depth(window: Window, *, model: int | None = None, until: float = float("inf")) -> list[WeightAtDepth]:
    """The trained weights of the model that has most of them (or of one model), first layer first.

    Gradients are those of the steps up to `until`.
    """
    weights = trained_weights(window)
    if not weights:
        return []
    if model is None:
        numbers = [weight.model for weight in weights]
        model = max(set(numbers), key=numbers.count)
    depth = {layer.name: place for place, layer in enumerate(window.forward_order) if layer.model == model}
    mine = [weight for weight in weights if weight.model == model and weight.layer in depth]
    return [_at_depth(window, weight, until) for weight in sorted(mine, key=lambda each: depth[each.layer])]


def weights_in_a_row(window: Window, *, until: float = float("inf")) -> list[WeightAtDepth]:
    """Matrices that no layer holds, in the order of the optimizer, where each takes what the one before it gives."""
    weights = [each for each in trained_weights(window) if window.layer(each.layer, each.model) is None]
    if any(len(weight.shape) != 2 for weight in weights):
        return []
    # By which side a matrix is multiplied is not known, but it is the same for all.
    pairs = list(pairwise(weight.shape for weight in weights))
    fits = any(all(a[out] == b[1 - out] for a, b in pairs) for out in (0, 1))
    return [_at_depth(window, weight, until) for weight in weights] if fits else []


def _at_depth(window: Window, weight: Parameter, until: float) -> WeightAtDepth:
    gradient = window.parameter_stat("grad.rms", weight)
    if gradient is not None and until < float("inf"):
        gradient = gradient.between(0, int(until))
    size = window.parameter_stat("param.rms", weight)
    return WeightAtDepth(
        weight,
        window.layer(weight.layer, weight.model),
        gradient.median() if gradient is not None else float("nan"),
        size.first * sqrt(fan_in(weight)) if size is not None else float("nan"),
    )


def weighted_layers(window: Window) -> list[Layer]:
    """Linear and convolution layers of trained models that were called, in the order of the data flow."""
    return [layer for layer in window.forward_order if layer.is_kind(*WEIGHTED)]


def following(window: Window, layer: Layer) -> list[Layer]:
    """The weighted layers that come next, behind layers that keep each channel to itself."""
    trail, seen, found = [layer.name], {layer.name}, []
    while trail:
        here = trail.pop()
        for edge in window.edges:
            target = window.layer(edge.target, edge.model) if (edge.source, edge.model) == (here, layer.model) else None
            if target is None or target.name in seen:
                continue
            seen.add(target.name)
            if target.is_kind(*WEIGHTED):
                found.append(target)
            elif not target.parameters or "Norm" in target.kind or target.is_kind("PReLU"):
                trail.append(target.name)
    return found


def late(series: Series | None, share: float = 0.5) -> Array:
    """The finite values of the last part of a series; empty when nothing was measured."""
    if series is None:
        return np.empty(0)
    finite = series.finite.values
    return finite[int(len(finite) * (1 - share)) :]
