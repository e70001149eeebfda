"""width-one-bottleneck: everything that the model knows goes through a single number."""

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.depth import following, weighted_layers
from stetho.checks.evidence.outcome import error_left
from stetho.checks.evidence.weights import weight_of
from stetho.checks.mechanisms.codes import is_too_narrow, neighbours
from stetho.checks.run.facts import Layer
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(
    severity="warning",
    explains=("loss-plateau", "too-small-model", "stopped-early", "dead-relu", "collapsed-output",
              "missing-nonlinearity", "metric-not-following", "vanishing-gradient",
              "labels-independent-of-inputs"),
)  # fmt: skip
def width_one_bottleneck(window: Window, *, width: int = 1) -> Finding | None:
    """A layer of width one in the middle of a model.

    ## What it finds
    A linear or convolution layer with an output of `width` or less whose output is all that the next one gets,
    which is wider again; or a recurrent layer with a state of that width.

    ## Why it matters
    Whatever the layers before have found, one number of it is left.

    ## What to try
    Widen the layer; usually a number was meant to be the width and another one was written.

    ## When it is wrong
    A code of a single number on purpose: a model that gives back its own input is a note, unless the loss stands still
    with a fifth or more of the error of a guess. Noise that no code could hold looks the same.
    """
    narrow = _narrow_state(window, width)
    if narrow is not None:
        return window.finding(
            f"the state of {narrow.name} is {width} wide, and all that the layers behind it get",
            where=window.at(window.width_line(narrow), layer=narrow),
            confidence=0.85,
            inputs=narrow.number("0") or 0.0,
        )
    layers = weighted_layers(window)
    if len(layers) < 3:
        raise Skip("no model has three layers in a row")
    ends = [weight_of(window, layer) for layer in layers]
    first, last = ends[0], ends[-1]
    for source, target in neighbours(window):
        if source is first or len(target.shape) < 2:
            continue
        if source.shape[0] <= width and target.shape[1] <= width < target.shape[0] and source.shape[1] > width:
            is_code = first is not None and last is not None and first.shape[1] == last.shape[0]
            is_meant = is_code and not is_too_narrow(window, source)
            return window.finding(
                f"{source.layer} has {source.shape[1]} inputs and {source.shape[0]} output, which is all that "
                f"{target.layer} gets{_standing(window) if is_code and not is_meant else ''}",
                where=window.at(window.width_line(window.layer(source.layer, source.model)), parameter=source),
                severity="note" if is_meant else None,
                confidence=0.88,
                widths=[float(one.shape[0]) for one in ends if one is not None],
            )
    return None


def _standing(window: Window) -> str:
    return f"; {error_left(window) or 0.0:.0%} of the error of a guess is left, and the loss stands"


def _narrow_state(window: Window, width: int) -> Layer | None:
    """A recurrent layer with such a state, behind more inputs and before a wider layer."""
    for layer in window.forward_order:
        if layer.is_kind("LSTM", "GRU", "RNN") and layer.number("1") == width and (layer.number("0") or 0) > 2 * width:
            wider = [weight_of(window, target) for target in following(window, layer)]
            if any(weight is not None and weight.shape[0] > weight.shape[1] == width for weight in wider):
                return layer
    return None
