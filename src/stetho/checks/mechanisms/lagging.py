"""An average of the weights that is evaluated, and is still nearly what the weights were before the training."""

import numpy as np

from stetho.checks.evidence.curve import SAME_WAY
from stetho.checks.window import Window
from stetho.findings.finding import Finding

LEAST_STEPS = 30
BEHIND = 0.3
NOW_AND_THEN = 0.1


def lagging(window: Window) -> Finding | None:
    """A copy of the model that is evaluated at the end, and has gone a small part of the way of the model."""
    found = window.probes.get("lagging", {})
    gone, cosine = (float(found.get(name, 1.0)) for name in ("gone", "cosine"))
    model, step = int(found.get("model", -1)), int(found.get("step", 0))
    if not 0 < gone < BEHIND or cosine < SAME_WAY or window.count < LEAST_STEPS or step < 0.9 * window.last_step:
        return None
    if window.is_trained(model) or not _is_shown(window, model):
        return None
    line = next((each.line for each in window.models if each.id == model), None)
    return window.finding(
        f"the copy of the model that is evaluated has gone {gone:.1%} of the way from the initial weights to the "
        f"trained ones after {window.last_step} steps",
        where=window.at(window.line("decay") or line or window.line("evaluation")),
        confidence=0.92,
        try_next="Give the average a shorter memory: a decay of 1 - 1/n looks back over n steps, which should be a "
        "small part of the training; or correct it for its start, as `min(decay, (1 + step) / (10 + step))` does.",
        gone=gone,
        cosine=cosine,
    )


def _is_shown(window: Window, model: int) -> bool:
    """Whether what a copy gives is the result of the training: it is judged, or asked between many steps, for samples.

    A copy that makes targets, as a target network does, is asked in every step, and may lag as it likes.
    """
    rows = window.batches("eval", model)
    is_judged = bool((np.isfinite(rows["loss"]) | (rows["counted"] > 0)).any())
    return is_judged or 0 < len(np.unique(rows["step"])) <= NOW_AND_THEN * window.count
