"""A state that leaves the graph at every moment of a sequence: what comes early is never learned."""

from stetho.checks.evidence.outcome import error_left
from stetho.checks.evidence.reached import is_reached, reached_names
from stetho.checks.run.facts import Layer
from stetho.checks.window import Window
from stetho.findings.finding import Finding

FEWEST = 3
"""Calls in one pass of the model."""


def cut_between_moments(window: Window, left: float = 0.3) -> Finding | None:
    """A layer that learns, is called many times in a pass, and whose state is cut off in the loop between two calls.

    Only where at least the share `left` of the error of a guess remains: a memory that is trained by one moment alone
    may be enough, and some are meant to be.
    """
    reached = reached_names(window)
    for layer in window.layers:
        learns = any(p.layer == layer.name and p.model == layer.model and is_reached(p, reached)
                     for p in window.parameters)  # fmt: skip
        if layer.cut is not None and learns and _calls_a_pass(window, layer) >= FEWEST:
            error = error_left(window)
            return _finding(window, layer) if error is None or error > left else None
    return None


def _calls_a_pass(window: Window, layer: Layer) -> float:
    root = window.layer("", layer.model)
    return layer.calls / root.calls if root is not None and root.calls else 0.0


def _finding(window: Window, layer: Layer) -> Finding:
    calls = _calls_a_pass(window, layer)
    return window.finding(
        f"{layer.name} is called {calls:.0f} times in a pass, and its state is detached in between: the loss never "
        "comes back to the moments before the last",
        where=window.at(layer.cut, layer=layer),
        confidence=0.9,
        calls=calls,
        try_next="Hand the state on as it is; to cut long sequences, detach it between pieces of many moments.",
    )
