"""collapsed-attention: every query looks at one place."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.depth import late
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(severity="note", explains=("vanishing-gradient", "loss-plateau"))
def collapsed_attention(window: Window, *, places: float = 1.05, least: int = 4) -> Finding | None:
    """Attention that looks at a single place.

    ## What it finds
    A softmax over at `least` so many places inside of the model whose weights lie on fewer than `places` places on
    average (one over the sum of their squares), late in the run.

    ## Why it matters
    A softmax at its end has no slope: queries and keys stop learning, and the other places are never looked at.

    ## What to try
    Divide the scores by the root of the head size, normalise queries and keys, or lower the learning rate.

    ## When it is wrong
    Heads that copy or look back by one place are sharp for good reasons.
    """
    judged = 0
    inner = {edge.source for edge in window.edges}
    for layer in window.forward_order:
        width = (layer.output_shape or (0,))[-1]
        if not layer.is_kind("Softmax") or layer.name not in inner or width < least:
            continue
        mean, rms = late(window.layer_stat("act.mean", layer)), late(window.layer_stat("act.rms", layer))
        if not len(mean) or len(mean) != len(rms) or not 0.5 < float(np.median(mean)) * width < 1.5:
            continue
        judged += 1
        used = float(np.median(mean / np.maximum(rms**2, 1e-12)))
        if used < places:
            return window.finding(
                f"{layer.name} looks at {used:.2f} of {width} places",
                where=window.at(layer=layer),
                confidence=0.6,
                places=used,
            )
    if not judged:
        raise Skip("there is no attention softmax as a layer of its own")
    return None
