"""collapsed-attention: every query looks at one place."""

from collections.abc import Iterator

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.depth import late
from stetho.checks.facts import Layer
from stetho.checks.signal.unused_embedding_rows import never_touched
from stetho.checks.window import Window
from stetho.findings.finding import Finding

LEAST_ROWS = 5
SEEN = 0.25
"""A model that looks at its inputs reaches nearly all rows that they ask for."""


@check(
    severity="note",
    explains=("vanishing-gradient", "loss-plateau", "collapsed-output", "unused-embedding-rows", "stopped-early",
              "saturated-activation", "metric-not-following", "frozen-parameter", "constant-input"),
)  # fmt: skip
def collapsed_attention(window: Window, *, places: float = 1.05, least: int = 4) -> Finding | None:
    """Attention that looks at a single place.

    ## What it finds
    A softmax over at `least` so many places inside of the model whose weights lie on fewer than `places` places on
    average (one over the sum of their squares), late in the run. In the first pass of a model that has learnt
    nothing yet it is a warning. Attention whose weights all lie on padding in that pass is an error; so is one behind
    which most rows of an embedding that inputs ask for never get a gradient, because the mask hides them.

    ## Why it matters
    A softmax at its end has no slope: queries and keys stop learning, and the other places are never looked at.

    ## What to try
    Divide the scores by the root of the head size, normalise queries and keys, or lower the learning rate. Look at
    the mask: `key_padding_mask` is true for the places to leave out.

    ## When it is wrong
    Heads that copy or look back by one place are sharp for good reasons.
    """
    masked = _on_padding(window) or _masked(window)
    if masked is not None:
        return masked
    judged = 0
    for layer, used, width, is_first in _softmaxes(window, least):
        judged += 1
        # Scores of random weights are nearly even: sharp rows over many places come from their scale.
        if used < (places if not is_first else 1.1 if width < 8 else 1.5):
            return window.finding(
                f"the softmax {'before' if is_first else 'of'} {layer.name} looks at {used:.2f} of {width} places"
                + (" in the first pass" if is_first else ""),
                where=window.at(layer.called if is_first else None, layer=layer),
                severity="warning" if is_first else None,
                confidence=0.85 if is_first else 0.6,
                places=used,
            )
    if not judged:
        raise Skip("there is no softmax inside of a model")
    return None


def _softmaxes(window: Window, least: int) -> Iterator[tuple[Layer, float, int, bool]]:
    """Each softmax inside of a model: its layer, the places it lies on, all places, whether that was the first pass."""
    if not window.loads:
        for layer in window.forward_order:
            for one in layer.between:
                if one.op == "Softmax" and one.places is not None and one.dim and one.shape[one.dim] >= least:
                    yield layer, one.places, one.shape[one.dim], True
    inner = {edge.source for edge in window.edges}
    for layer in window.forward_order:
        width = (layer.output_shape or (0,))[-1]
        if not layer.is_kind("Softmax") or layer.name not in inner or width < least:
            continue
        mean, rms = late(window.layer_stat("act.mean", layer)), late(window.layer_stat("act.rms", layer))
        if len(mean) and len(mean) == len(rms) and 0.5 < float(np.median(mean)) * width < 1.5:
            yield layer, float(np.median(mean / np.maximum(rms**2, 1e-12))), width, False


def _on_padding(window: Window) -> Finding | None:
    """Attention that sees the end of rows, with which they are filled up, and nothing that comes before it."""
    for layer in window.forward_order:
        for one in layer.between:
            if one.on_real is not None and one.on_padding is not None and one.on_real < 0.01 < 0.05 < one.on_padding:
                return window.finding(
                    f"in the first pass the softmax before {layer.name} puts {one.on_padding:.0%} of its weights on "
                    f"padding, and {one.on_real:.2%} on real places",
                    where=window.at(layer.mask or layer.called, layer=layer),
                    severity="error",
                    confidence=0.95,
                    try_next="Turn the mask round: `key_padding_mask` is true for the places to leave out.",
                    on_padding=one.on_padding,
                    on_real=one.on_real,
                )
    return None


def _masked(window: Window) -> Finding | None:
    """Attention behind which nearly none of the rows that inputs ask an embedding for get a gradient."""
    attention = [layer for layer in window.layers if "Attention" in layer.kind and layer.calls]
    attention += [layer for layer in window.forward_order if any(one.op == "Softmax" for one in layer.between)]
    for parameter in window.parameters if attention else ():
        layer, rows = window.layer(parameter.layer, parameter.model), parameter.shape[0]
        unused = never_touched(window, parameter)
        if layer is None or not layer.is_kind("Embedding") or not layer.rows_asked or unused is None:
            continue
        if unused == 1.0 and not _goes_on_behind(window, layer):
            continue
        touched = round(rows * (1 - (unused or 0.0)))
        if layer.rows_asked < LEAST_ROWS or touched > SEEN * layer.rows_asked:
            continue
        return window.finding(
            f"inputs ask for {layer.rows_asked} of {rows} rows of {parameter.name}, and {touched} of them ever get a "
            f"gradient: behind {attention[0].name} the others are not attended to",
            where=window.at(attention[0].called, layer=attention[0]),
            severity="error",
            confidence=0.9,
            rows_asked=layer.rows_asked,
            rows_reached=touched,
        )
    return None


def _goes_on_behind(window: Window, layer: Layer) -> bool:
    """Whether the next layer gets a gradient: then the way back is open, and what comes from this one was not used."""
    after = {edge.target for edge in window.edges if edge.model == layer.model and edge.source == layer.name}
    own = [p for p in window.parameters if p.model == layer.model and p.layer in after]
    series = (window.parameter_stat("grad.absmax", parameter) for parameter in own)
    return any(each is not None and bool(each.finite.values.any()) for each in series)
