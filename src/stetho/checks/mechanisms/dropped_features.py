"""Dropout on the few features of a table: each sample lacks some of what only they can tell."""

import numpy as np

from stetho.checks.evidence.outcome import error_left
from stetho.checks.window import Window
from stetho.findings.finding import Finding

INPUT = "(input)"
HALF, FEW, MUCH_LEFT = 0.5, 32, 0.25


def dropped_features(window: Window) -> Finding | None:
    """Dropout on a few features: what one of them tells no other does, and each sample lacks some of them."""
    left = error_left(window)
    for edge in window.edges:
        layer = window.layer(edge.target, edge.model)
        is_dropout = edge.source == INPUT and layer is not None and layer.is_kind("Dropout")
        rate = layer.number("p") if is_dropout and layer is not None else None
        features = _features(window, edge.model)
        if layer is None or rate is None or rate < HALF or features is None or left is None or left < MUCH_LEFT:
            continue
        return window.finding(
            f"{layer.name} drops {rate:.0%} of the {features} features of the input themselves, and {left:.0%} of the "
            "error of a guess is left",
            where=window.at(layer=layer),
            severity="warning",
            confidence=0.85,
            try_next="Put the dropout behind a hidden layer, or take it away: the model underfits.",
            p=rate,
        )
    return None


def _features(window: Window, model: int) -> int | None:
    """How many features a sample of a table has, if they are few and not what the model shall give back."""
    given = [shape[1:] for shape in window.batches("train", model)["shape"] if shape is not None]
    shapes = {tuple(map(int, shape)) for shape in given if np.isfinite(shape).all()}
    targets = {loss.target_shape[1:] for loss in window.losses if loss.target_shape is not None}
    if len(shapes) != 1 or shapes & targets or len(shape := shapes.pop()) != 1:
        return None
    return shape[0] if 1 < shape[0] <= FEW else None
