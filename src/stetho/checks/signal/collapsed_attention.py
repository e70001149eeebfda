"""collapsed-attention: every query looks at one place."""

from collections.abc import Iterator

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.depth import late
from stetho.checks.mechanisms.masked import hides_rows, sees_padding_alone
from stetho.checks.run.facts import Layer
from stetho.checks.window import Window
from stetho.findings.finding import Finding


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
    masked = sees_padding_alone(window) or hides_rows(window)
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
                where=window.at(window.given(layer.called, "softmax") if is_first else None, layer=layer),
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
