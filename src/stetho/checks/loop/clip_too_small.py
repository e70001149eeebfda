"""clip-too-small: clipping leaves next to nothing of the gradient."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.curve import main_curve
from stetho.checks.evidence.symptoms import NOT_LEARNING
from stetho.checks.window import Window
from stetho.findings.finding import Finding

SCALE_FREE = ("Adam", "AdamW", "NAdam", "RAdam", "Adamax", "RMSprop", "Adagrad", "Adadelta", "Lion", "Adafactor")

LITTLE, WIDER = 0.3, 10.0


@check(severity="error", explains=NOT_LEARNING)
def clip_too_small(window: Window, *, factor: float = 50.0, ratio: float = 1e-4) -> Finding | None:
    """Gradient clipping that stops the training.

    ## What it finds
    The gradient norm is more than `factor` times the clipping norm in nearly all steps, and the updates are below
    `ratio` of the parameters, or ten times that where the loss has hardly come down.

    ## Why it matters
    Clipping is meant for rare large gradients. A limit far below the usual norm scales every step down; with SGD the
    learning rate is then the limit times the rate.

    ## What to try
    Set the limit near the usual gradient norm, which is in the evidence.

    ## When it is wrong
    Optimizers that divide by the size of the gradient (Adam and its kin) do not mind, and are left out.
    """
    limits = window.steps["clip_max"]
    limit = float(np.median(limits[limits > 0])) if (limits > 0).sum() >= 5 else None
    if limit is None:
        raise Skip("no gradients are clipped")
    if all(optimizer.kind in SCALE_FREE for optimizer in window.optimizers):
        return None
    clipped = _by_norm(window, limit, factor) or _by_value(window, limit)
    updates = [window.parameter_stat("update.ratio", parameter) for parameter in window.parameters]
    medians = [series.median() for series in updates if series is not None and np.isfinite(series.median())]
    least = ratio if main_curve(window).fall > LITTLE else WIDER * ratio
    if clipped is None or not medians or np.median(medians) > least:
        return None
    return window.finding(
        f"{clipped}; updates are {np.median(medians):.1g} of the parameters",
        where=window.at(_written(window)),
        confidence=0.94,
        limit=limit,
        update_ratio=float(np.median(medians)),
    )


def _by_norm(window: Window, limit: float, factor: float) -> str | None:
    norms = window.steps["clip_norm"]
    norms = norms[np.isfinite(norms)]
    if len(norms) < 5 or np.quantile(norms, 0.1) < factor * limit:
        return None
    usual = float(np.median(norms))
    return f"gradients of norm {usual:.2g} are clipped to {limit:.2g} in all steps, {usual / limit:.0f} times less"


def _by_value(window: Window, limit: float) -> str | None:
    """Clipping by value leaves elements at the limit: where most are there, their rms is near it."""
    sizes = [window.parameter_stat("grad.rms", parameter) for parameter in window.parameters]
    medians = [series.median() for series in sizes if series is not None]
    full = sum(median > 0.5 * limit for median in medians)
    if not any("clip_value" in order for order in window.orders) or full < 0.5 * max(len(medians), 1):
        return None
    return f"most elements of the gradients are clipped to {limit:.2g} in {full} of {len(medians)} parameters"


def _written(window: Window) -> str | None:
    """Where the limit is written."""
    called = window.line("clip")
    limits = (window.given(called, name) for name in ("max_norm", "clip_value"))
    return next((line for line in limits if line != called), called)
