"""Normalising flows: the logarithm of the change of volume belongs to the likelihood, which is to grow."""

import numpy as np

from stetho.checks.window import Window
from stetho.findings.finding import Finding

LEAST = 20
LEAST_CHANGE = 0.3
SAME = 0.5


def stretched(window: Window) -> Finding | None:
    """The loss drives the volume, as layers tell it, to nothing: all points fall into one, which is no density."""
    said, volume = window.probed("volumes", "said", "volume")
    if len(said) < LEAST or float(np.quantile(np.abs(said), 0.9)) < LEAST_CHANGE:
        return None
    way = float(np.sign(np.sum(said * volume)))
    # Layers may tell the change of the inverse; then what they say and what they do have opposite signs.
    is_told = float(np.median(np.abs(way * said - volume))) < SAME * float(np.quantile(np.abs(said), 0.9))
    if not is_told or way * float(window.probes["volumes"].get("sign", -1)) < 0:
        return None
    return window.finding(
        f"the logarithm of the change of volume goes into the loss with a plus: layers shrink the data by "
        f"{np.exp(-np.median(way * said[-LEAST:])):.3g} each, and the likelihood only seems to grow",
        where=window.at(window.loss_line()),
        confidence=0.85,
        try_next="Add the logarithm of the determinant to the log-likelihood; in the loss it has a minus.",
        said=said,
        volume=volume,
    )
