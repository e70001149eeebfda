"""Inputs whose channels came last, and were given the shape of inputs whose channels come first."""

import math

from stetho.checks.inputs import content_line
from stetho.checks.window import Window
from stetho.findings.finding import Finding

ALIKE = 0.7
"""Elements at the other distance differ by so much less than neighbours do, or still less."""
SAME_PIXEL = 0.5


def dealt(window: Window) -> Finding | None:
    """Neighbours look less alike than elements that are neighbours if channels come last."""
    found = window.probes.get("dealt", {})
    numbers = {name: float(value) for name, value in found.items() if isinstance(value, int | float)}
    model, axes = int(numbers.get("model", -1)), int(numbers.get("axes", 0))
    channels = int(numbers.get("channels", 0))
    kind = "Conv2d" if axes == 4 else "Conv1d"
    layers = [layer for layer in window.layers if layer.model == model and layer.is_kind(kind)]
    if not any(layer.number("0") == channels for layer in layers) or not window.is_trained(model):
        return None
    near, far, across = (numbers.get(name, math.nan) for name in ("beside", "dealt_beside", "dealt_across"))
    is_dealt = max(far, across) < ALIKE * near
    if axes == 4:
        below, dealt_below, beyond = (
            numbers.get(name, math.nan) for name in ("below", "dealt_below", "dealt_below_across")
        )
        # Where all channels are one, as in a grey picture, the elements of a pixel are the same.
        is_grey = numbers.get("within_pixels", math.nan) < SAME_PIXEL
        is_dealt = (far < near or is_grey) and max(dealt_below, beyond) < ALIKE * below
        near, far = (below, dealt_below) if is_grey else (near, far)
    if not is_dealt:
        return None
    return window.finding(
        f"inputs have {channels} channels first, and their elements lie as if channels came last: neighbours differ by "
        f"{near:.3g}, elements {channels} places apart by {far:.3g}",
        where=window.at(str(found["line"]) if found.get("line") else content_line(window, model)),
        confidence=0.92,
        try_next="Bring the channels to the front with `permute` (or `transpose`) before the model; `view` and "
        "`reshape` leave every element where it is.",
        neighbours=near,
        channels_apart=far,
    )
