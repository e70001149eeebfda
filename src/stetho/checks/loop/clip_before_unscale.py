"""clip-before-unscale: clipping sees the scaled gradients."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.symptoms import NOT_LEARNING
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(severity="error", explains=(*NOT_LEARNING, "clip-too-small"))
def clip_before_unscale(window: Window, *, share: float = 0.9) -> Finding | None:
    """Scaled gradients are clipped.

    ## What it finds
    Under a gradient scaler, clipping without `unscale_` before it, in more than `share` of the steps.

    ## Why it matters
    The gradients are still multiplied by the loss scale (often 65536): the limit is reached always, and after unscaling
    next to nothing of the gradient is left.

    ## What to try
    Call `scaler.unscale_(optimizer)` before clipping.

    ## When it is wrong
    A limit that was multiplied by the scale by hand.
    """
    scaled = np.nan_to_num(window.steps["loss_scale"]) > 1
    clipped = [
        order for order, is_scaled in zip(window.orders, scaled, strict=True) if is_scaled and _clip(order) is not None
    ]
    if len(clipped) < 3:
        raise Skip("no gradients are clipped under a gradient scaler")
    wrong = [order for order in clipped if "unscale" not in order[: _clip(order)]]
    if len(wrong) < share * len(clipped):
        return None
    norms = window.steps["clip_norm"]
    return window.finding(
        f"gradients scaled by {np.nanmax(window.steps['loss_scale']):.0f} were clipped without unscale_ in "
        f"{len(wrong)} of {len(clipped)} steps",
        where=window.at(window.line("clip") or window.line("clip_value")),
        confidence=0.97,
        clip_norm=norms[np.isfinite(norms)],
    )


def _clip(order: list[str]) -> int | None:
    """Where in a step gradients are first clipped, by their norm or one by one."""
    return next((place for place, event in enumerate(order) if event in ("clip", "clip_value")), None)
