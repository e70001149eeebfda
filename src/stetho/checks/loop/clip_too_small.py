"""clip-too-small: clipping leaves next to nothing of the gradient."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.window import Window
from stetho.findings.finding import Finding

SCALE_FREE = ("Adam", "AdamW", "NAdam", "RAdam", "Adamax", "RMSprop", "Adagrad", "Adadelta", "Lion", "Adafactor")


@check(
    severity="error",
    explains=("learning-rate-too-low", "loss-plateau", "stopped-early", "frozen-parameter", "too-small-model",
              "vanishing-gradient", "metric-not-following"),
)  # fmt: skip
def clip_too_small(window: Window, *, factor: float = 50.0, ratio: float = 1e-4) -> Finding | None:
    """Gradient clipping that stops the training.

    ## What it finds
    The gradient norm is more than `factor` times the clipping norm in nearly all steps, and the updates are below
    `ratio` of the parameters.

    ## Why it matters
    Clipping is meant for rare large gradients. A limit far below the usual norm scales every step down; with SGD the
    learning rate is then the limit times the rate.

    ## What to try
    Set the limit near the usual gradient norm, which is in the evidence.

    ## When it is wrong
    Optimizers that divide by the size of the gradient (Adam and its kin) do not mind, and are left out.
    """
    norms, limits = window.steps["clip_norm"], window.steps["clip_max"]
    known = np.isfinite(norms) & np.isfinite(limits) & (limits > 0)
    if known.sum() < 5:
        raise Skip("no gradients are clipped")
    if all(optimizer.kind in SCALE_FREE for optimizer in window.optimizers):
        return None
    over = norms[known] / limits[known]
    if np.quantile(over, 0.1) < factor:
        return None
    updates = [window.parameter_stat("update.ratio", parameter) for parameter in window.parameters]
    medians = [series.median() for series in updates if series is not None and np.isfinite(series.median())]
    if not medians or np.median(medians) > ratio:
        return None
    return window.finding(
        f"gradients of norm {np.median(norms[known]):.2g} are clipped to {limits[known][-1]:.2g}, "
        f"{np.median(over):.0f} times less, in all steps; updates are {np.median(medians):.1g} of the parameters",
        where=window.at(window.line("clip")),
        confidence=0.94,
        grad_norm=norms[known],
        limit=float(limits[known][-1]),
        update_ratio=float(np.median(medians)),
    )
