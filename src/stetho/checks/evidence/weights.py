"""The weights of a model: those that are trained and have two dimensions or more, and how they move."""

from math import prod, sqrt

import numpy as np

from stetho.checks.evidence.compared import CLASSES
from stetho.checks.run.facts import Layer, Parameter
from stetho.checks.run.series import Series, joined
from stetho.checks.window import Window

LOOKUPS = ("Embedding",)
NORMS = ("BatchNorm", "SyncBatchNorm", "LayerNorm", "GroupNorm", "InstanceNorm", "RMSNorm", "LocalResponseNorm")


def trained_weights(window: Window, *, tables: bool = False) -> list[Parameter]:
    """Weights that are updated and were measured; those of embeddings, which move row by row, only if asked for.

    An optimizer holds them, or the program has none and updates all by hand.
    """
    others = NORMS if tables else (*LOOKUPS, *NORMS)
    return [
        parameter
        for parameter in window.parameters
        if parameter.trainable
        and (parameter.optimizer is not None or not window.optimizers)
        and len(parameter.shape) >= 2
        and not is_in(window, parameter, *others)
        and window.parameter_stat("param.rms", parameter) is not None
    ]


def is_in(window: Window, parameter: Parameter, *kinds: str) -> bool:
    """Whether a parameter belongs to a layer of one of these kinds."""
    layer = window.layer(parameter.layer, parameter.model)
    return layer is not None and layer.is_kind(*kinds)


def fan_in(parameter: Parameter) -> int:
    """How many numbers go into one output of a weight.

    >>> fan_in(Parameter("conv.weight", (16, 3, 5, 5)))
    75
    """
    return max(prod(parameter.shape[1:]), 1)


def relative_updates(window: Window, parameter: Parameter) -> Series | None:
    """The updates over the size of the weight, or over a usual small size where the weight begins near zero."""
    update, size = (window.parameter_stat(stat, parameter) for stat in ("update.rms", "param.rms"))
    if update is None or size is None:
        return None
    floor = 0.3 / sqrt(fan_in(parameter))
    return joined(update, Series(size.steps, np.maximum(size.values, floor)), np.divide).finite


def is_from_the_start(window: Window, parameter: Parameter, series: Series | None) -> bool:
    """Whether a series begins with the first step of the optimizer that holds the parameter: before any update."""
    if series is None or not len(series):
        return False
    mine = window.steps["step"][window.steps["optimizer"] == parameter.optimizer]
    return bool(series.steps[0] <= (mine[0] if len(mine) else 1))


def path(window: Window, parameter: Parameter) -> float:
    """All the updates of the run one after another, as a share of the weight: as far as it can have gone."""
    ratios = relative_updates(window, parameter)
    if ratios is None or not len(ratios):
        return float("nan")
    steps = window.steps["step"]
    mine = np.count_nonzero(window.steps["optimizer"] == parameter.optimizer) or len(steps)
    return float(ratios.values.mean() * mine)


def set_at(window: Window, layer: Layer) -> str | None:
    """Where the program set the values of a layer's parameters, or of the layers that feed it; None if it did not."""
    names = [layer.name, *(e.source for e in window.edges if (e.target, e.model) == (layer.name, layer.model))]
    mine = [p for name in names for p in window.parameters if p.layer == name and p.model == layer.model]
    # Weights are set more often, and biases more oddly.
    return next((p.initialised for p in sorted(mine, key=lambda p: len(p.shape)) if p.initialised), None)


def weight_of(window: Window, layer: Layer) -> Parameter | None:
    """The weight of a layer."""
    name = f"{layer.name}.weight" if layer.name else "weight"
    return next((p for p in window.parameters if p.name == name and p.model == layer.model), None)


def outputs_of(window: Window, last: Parameter) -> int:
    """How many classes a model chooses from: a head that shares the weight of an embedding is not the last weight.

    >>> from stetho.testing import make_window
    >>> outputs_of(make_window(), Parameter("mlp.weight", (192, 48)))
    4
    """
    shapes = [loss.input_shape or () for loss in window.losses if loss.call in CLASSES]
    return min([last.shape[0], *(shape[1] for shape in shapes if len(shape) > 1)])


def never_touched(window: Window, parameter: Parameter) -> float | None:
    """The share of zeros in a state that is zero only where there never was a gradient."""
    for key in ("state.exp_avg_sq", "state.square_avg", "state.momentum_buffer", "state.sum"):
        zeros = window.parameter_stat(f"{key}.zero_share", parameter)
        if zeros is not None and len(zeros):
            return zeros.last
    return None
