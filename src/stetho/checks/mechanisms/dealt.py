"""Inputs whose channels came last, and were given the shape of inputs whose channels come first."""

import math
from collections.abc import Mapping

from stetho.checks.evidence.inputs import content_line
from stetho.checks.window import Window
from stetho.findings.finding import Finding

ALIKE = 0.7
"""Elements at the other distance differ by so much less than neighbours do, or still less."""
SAME_PIXEL = 0.5
LEAST_CORRELATION = 0.1
DEVIATIONS = 4
HALF = 0.5
"""Noise hides how alike neighbours are and leaves the order of correlations: theirs is half of the other, or less."""


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
    near, far = (numbers.get(name, math.nan) for name in ("beside", "dealt_beside"))
    is_dealt = _is_dealt(numbers, "beside", "dealt_beside", "dealt_across")
    if axes == 4:
        # Where all channels are one, as in a grey picture, the elements of a pixel are the same.
        is_grey = numbers.get("within_pixels", math.nan) < SAME_PIXEL
        is_dealt = (far < near or is_grey) and _is_dealt(numbers, "below", "dealt_below", "dealt_below_across")
        near, far = (numbers.get(name, math.nan) for name in ("below", "dealt_below")) if is_grey else (near, far)
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


def _is_dealt(numbers: Mapping[str, float], *names: str) -> bool:
    """Whether elements are clearly more alike at the distance that neighbours have if channels come last."""
    near, far, across = (numbers.get(name, math.nan) for name in names)
    beside, apart, beyond = (numbers.get(f"{name}_alike", math.nan) for name in names)
    by_chance = DEVIATIONS / math.sqrt(max(numbers.get("across", 0.0), 1.0))
    is_correlated = min(apart, beyond) > max(LEAST_CORRELATION, beside / HALF, by_chance)
    return max(far, across) < ALIKE * near or is_correlated
