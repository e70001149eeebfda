"""dead-relu: a layer whose units give zero for every input."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.curve import main_curve
from stetho.checks.evidence.depth import late
from stetho.checks.evidence.weights import set_at, weight_of
from stetho.checks.run.facts import Layer
from stetho.checks.window import Window
from stetho.findings.finding import Finding

CUTS_OFF = ("ReLU", "ReLU6", "Hardtanh", "Threshold", "Hardshrink", "Softshrink", "Hardsigmoid")


@check(
    severity="error",
    explains=("loss-plateau", "vanishing-gradient", "collapsed-output", "frozen-parameter", "learning-rate-too-low",
              "too-small-model", "stopped-early", "metric-not-following", "activation-scale", "initial-loss-off",
              "missing-nonlinearity"),
)  # fmt: skip
def dead_relu(window: Window, *, dead: float = 0.99, sparse: float = 0.97) -> Finding | None:
    """ReLU units that never fire.

    ## What it finds
    A ReLU, as a layer or as a function behind a layer, of whose output the share `dead` or more is zero in the later
    half of the run; from the share `sparse` on it is a note. The first such layer is named.

    ## Why it matters
    Where a ReLU gives zero its slope is zero as well: nothing behind it learns, and it cannot come back by itself.

    ## What to try
    Look at what comes before the layer: biases far below zero, a learning rate that is too high, inputs that are not
    scaled. LeakyReLU or GELU keep a slope.

    ## When it is wrong
    Layers that are meant to be sparse, and a ReLU at the very end of a model whose answer is mostly zero.
    """
    closed = _closed_from_the_start(window)
    if closed is not None:
        return window.finding(
            f"the ReLU behind {closed.name} gives only zeros in the first pass, and nothing behind it ever learns",
            where=window.at(closed.called, layer=closed),
            confidence=0.93,
        )
    shares = [(layer, one) for layer in window.forward_order if len(one := zero_shares(window, layer))]
    if not shares:
        raise Skip("there is no ReLU whose output was measured")
    for layer, values in shares:
        share = float(np.median(values))
        if share < sparse:
            continue
        began = _first_dead_step(window, layer, sparse)
        return window.finding(
            f"{share:.2%} of the output of {layer.name} is zero" + ("" if began <= 1 else f" from step {began} on"),
            where=window.at(set_at(window, layer) if began <= 1 else None, layer=layer),
            steps=(began, int(window.steps["step"][-1]), len(values)),
            severity="note" if share < dead or _answers_zero(window, layer) else None,
            confidence=0.95 if began <= 2 else 0.85,
            zero_share=values,
            layers=", ".join(each.name for each, other in shares if np.median(other) >= sparse),
        )
    return None


def _closed_from_the_start(window: Window) -> Layer | None:
    """A layer whose output is shifted or scaled before a ReLU that lets none of it through, then or later."""
    for edge in window.edges:
        source, target = window.layer(edge.source, edge.model), window.layer(edge.target, edge.model)
        if source is None or target is None or "Relu" not in edge.ops[1:]:
            continue
        weight = weight_of(window, source)
        gradient = window.parameter_stat("grad.absmax", weight) if weight is not None else None
        is_closed = any(one.op == "Relu" and one.slope == 0.0 for one in target.between)
        if is_closed and gradient is not None and len(gradient) >= 5 and (gradient.values == 0).all():
            return source
    return None


def _answers_zero(window: Window, layer: Layer) -> bool:
    """Whether it is the end of a model that learns, with answers that are mostly zero."""
    return all(edge.source != layer.name for edge in window.edges) and main_curve(window).fall > 0.3


def zero_shares(window: Window, layer: Layer) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """The share of zeros behind a layer with a ReLU, late in the run: 1 where its input never reaches above zero."""
    if layer.is_kind(*CUTS_OFF):
        return late(window.layer_stat("act.zero_share", layer))
    edges = [edge for edge in window.edges if edge.source == layer.name and edge.model == layer.model]
    if not edges or not all(edge.ops[:1] == ("Relu",) for edge in edges):
        return np.empty(0)
    highest = late(window.layer_stat("act.max", layer))
    return np.where(highest <= 0, 1.0, 0.0)


def _first_dead_step(window: Window, layer: Layer, sparse: float) -> int:
    is_relu = layer.is_kind(*CUTS_OFF)
    series = window.layer_stat("act.zero_share" if is_relu else "act.max", layer)
    if series is None:
        return 1
    is_dead = series.values >= sparse if is_relu else series.values <= 0
    return int(series.steps[is_dead][0]) if is_dead.any() else 1
