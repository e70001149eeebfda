"""accumulation-not-averaged: gradients of several passes are summed up where their mean is meant."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.symptoms import RUNNING_AWAY
from stetho.checks.loop.clip_too_small import SCALE_FREE
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(severity="warning", explains=RUNNING_AWAY)
def accumulation_not_averaged(window: Window, *, least: int = 2, tolerance: float = 0.02) -> Finding | None:
    """Accumulated passes are not divided by their number.

    ## What it finds
    At `least` so many backward passes from one line for each step, where the loss that goes backward is the mean over
    its pass (within `tolerance`) and not a part of it.

    ## Why it matters
    The gradient is as many times larger as there are passes: the learning rate is multiplied by their number.

    ## What to try
    Divide the loss by the number of accumulated passes before `backward()`.

    ## When it is wrong
    A learning rate that was chosen for the sum. With optimizers that do not mind the size of gradients (Adam and its
    kin) it is a note only.
    """
    passes = window.steps["backwards"]
    usual = float(np.median(passes)) if len(passes) else 0.0
    if usual < least or len(window.lines.get("backward", ())) > 1:
        raise Skip("no gradients are accumulated")
    orders = [" ".join(events) for events in window.orders]
    # The passes that are left over at the end of an epoch are thrown away by a zeroing, too: only in some steps.
    again = sum("backward zero_grad" in order or "backward forward step" in order for order in orders)
    if again > 0.5 * len(orders):
        raise Skip("gradients are zeroed between the backward passes of a step, as in a closure")
    called = window.batches("train")
    ratios = []
    for step, loss, count in zip(window.steps["step"], window.steps["loss"], passes, strict=True):
        given = called["loss"][called["step"] == step]
        given = given[np.isfinite(given)]
        if len(given) >= count >= least and given.mean() != 0:
            ratios.append(loss / given.mean())
    if len(ratios) < 3:
        raise Skip("the loss function is not one that is known")
    ratio = float(np.median(ratios))
    if abs(ratio - 1) > tolerance or any(loss.reduction == "sum" for loss in window.losses):
        return None
    scale_free = all(optimizer.kind in SCALE_FREE for optimizer in window.optimizers)
    return window.finding(
        f"{usual:.0f} backward passes for each step, each with the whole loss of its pass (ratio {ratio:.2f})",
        where=window.at(window.line("backward")),
        severity="note" if scale_free else "warning",
        confidence=0.92,
        passes_a_step=usual,
        loss_ratio=ratio,
    )
