"""loss-scale-collapse: the gradient scaler halves its scale again and again."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.autopsy import Fault, advice, evidence, faults, is_known, place, sentence
from stetho.checks.window import Window
from stetho.findings.finding import Finding, Where


@check(
    severity="error",
    explains=(
        "loss-plateau",
        "frozen-parameter",
        "stopped-early",
        "metric-not-following",
        "non-finite-value",
        "overflow",
    ),
)
def loss_scale_collapse(window: Window, *, share: float = 0.3, halvings: int = 10, least: int = 10) -> Finding | None:
    """The loss scale falls without end.

    ## What it finds
    More than the share `share` of the steps (at `least` so many) is skipped by the gradient scaler in the second
    half of the run, or the scale fell by `halvings` halvings or more and is not rising again: the overflow is a
    true one. Where a step could be run again, the operation and the line that it begins at.

    ## Why it matters
    The scaler leaves out each step with infinite gradients and halves its scale. If the gradients are infinite at any
    scale, no step is ever taken, and nothing says so.

    ## What to try
    Find what overflows in half precision: a sum over many elements, an exponential, a division; run it in float32.

    ## When it is wrong
    The first few skipped steps, in which the scale finds its size, are healthy and left out.
    """
    scales, skipped = window.steps["loss_scale"], window.steps["skipped"]
    known = np.isfinite(scales)
    if known.sum() < least:
        raise Skip("no gradient scaler is used")
    half = np.count_nonzero(known) // 2
    late = float(np.nanmean(skipped[known][half:])) if np.isfinite(skipped[known][half:]).any() else 0.0
    scale = scales[known]
    fallen = float(np.log2(max(scale[0], 1e-30) / max(scale[-1], 1e-30)))
    still = scale[-1] <= scale[half] / 4
    if late < share and not (fallen >= halvings and still):
        return None
    steps = window.steps["step"][known]
    fault = next((each for each in faults(window) if is_known(each) and each.get("trigger") != "hidden"), None)
    fallen_to = f"the loss scale goes from {scale[0]:.3g} to {scale[-1]:.3g}"
    return window.finding(
        f"{late:.0%} of the later steps are skipped; {fallen_to}" + (f": {sentence(fault)}" if fault else ""),
        where=_place(window, fault),
        steps=(int(steps[0]), int(steps[-1]), int(np.nansum(skipped))),
        confidence=0.92,
        severity=None,
        try_next=advice(fault) if fault else "",
        loss_scale=scale,
        skipped_share=late,
        **(evidence(fault) if fault else {}),
    )


def _place(window: Window, fault: Fault | None) -> Where:
    """Where the infinity begins, if that is known; the scaler only answers to it."""
    if fault is not None and fault.get("line"):
        return place(fault)
    return window.at(window.line("scaler") or window.line("step") or window.line("backward"))
