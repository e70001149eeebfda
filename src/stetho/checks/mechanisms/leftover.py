"""Two optimizers that take turns: one steps with what the loss of the other left in its gradients."""

import numpy as np

from stetho.checks.window import Window
from stetho.findings.finding import Finding

LEAST_STEPS = 5
SHARE = 0.5
AGAINST = -0.1
"""Two losses may share a part on purpose; those of adversaries pull against each other."""


def leftover(window: Window) -> Finding | None:
    """Gradients of the other side's loss that were still there when a side's own came, and point the other way."""
    (cosines,) = window.probed("leftovers", "cosines")
    found = window.probes.get("leftovers", {})
    looked = int(found.get("steps", 0))
    if len(cosines) < max(LEAST_STEPS, SHARE * looked) or not float(np.median(cosines)) < AGAINST:
        return None
    left, used = found.get("left_at"), found.get("used_at")
    # What reaches its own loss through the other side must not reach the other's: the formula that lets it through is
    # wrong. The other way round it cannot be helped, and the backward pass should have begun with zeros.
    made = next((graph.place for graph in window.loss_graphs if graph.line == left), None)
    blamed = (made or left) if found.get("through_others") else used
    return window.finding(
        f"in {len(cosines)} of {looked} steps of optimizer {found.get('optimizer')}, its gradients still held those of "
        f"another loss, which pull against its own (cosine {np.median(cosines):.2f})",
        where=window.at(blamed),
        confidence=0.92,
        try_next="Detach what one side gives to the loss of the other (`fake.detach()`), or set the gradients to zero "
        "right before the backward pass whose step uses them.",
        cosines=cosines,
        left_at=str(left),
        used_at=str(used),
    )
