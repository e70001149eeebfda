"""Sequences that are learnt piece by piece, and states that would have been worth something for the next piece."""

import numpy as np

from stetho.checks.evidence.outcome import ends_well
from stetho.checks.window import Window
from stetho.findings.finding import Finding

LAST_LOOKS = 3
LEAST_STEPS = 3


def in_pieces(window: Window, gain: float) -> Finding | None:
    """A recurrent layer that begins every piece with zeros, where the state after the pieces before would help."""
    stream = window.probes.get("calls", {}).get("stream", {})
    without, with_state = (np.asarray(stream.get(name, ()), float) for name in ("without_state", "with_state"))
    layer = next((each for each in window.layers if each.begun >= LEAST_STEPS), None)
    if len(without) < 2 or layer is None or layer.blank < 0.8 * layer.begun:
        return None
    before, after = (float(np.mean(losses[-LAST_LOOKS:])) for losses in (without, with_state))
    if not 0 < after < (1 - gain) * before:
        return None
    return window.finding(
        f"each piece begins where the last one ended, but {layer.name or layer.kind} begins with zeros: with the "
        f"state that the pieces before lead to, the loss of a step would be {after:.3g} and not {before:.3g}",
        where=window.at(stream.get("line") or layer.called, layer=layer),
        severity="note" if ends_well(window) else None,
        confidence=0.93,
        without_state=without,
        with_state=with_state,
    )
