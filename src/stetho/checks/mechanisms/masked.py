"""Masks of attention that are the wrong way round: padding is seen, and what inputs ask for is hidden."""

from stetho.checks.evidence.weights import never_touched
from stetho.checks.run.facts import Layer
from stetho.checks.window import Window
from stetho.findings.finding import Finding

LEAST_ROWS = 5
SEEN = 0.25
"""A model that looks at its inputs reaches nearly all rows that they ask for."""


def sees_padding_alone(window: Window) -> Finding | None:
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


def hides_rows(window: Window) -> Finding | None:
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
