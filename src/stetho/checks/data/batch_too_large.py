"""batch-too-large: so few updates that the training hardly begins."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.compared import ending
from stetho.checks.evidence.inputs import data_line
from stetho.checks.evidence.outcome import error_left
from stetho.checks.evidence.rounds import broken_off
from stetho.checks.run.series import Array
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(
    severity="warning",
    needs_end=True,
    explains=("stopped-early", "learning-rate-too-low", "too-small-model", "loss-plateau"),
)
def batch_too_large(window: Window, *, updates: int = 100, samples: int = 512, left: float = 0.5) -> Finding | None:
    """Batches so large that there are hardly any updates.

    ## What it finds
    Fewer than `updates` steps with batches of at least `samples` samples that make a quarter of the data or more, and a
    loss that ends above the share `left` of where it began and was still falling; or, with a clear part of the error of
    a guess left, fell by a quarter in the second half alone.

    ## Why it matters
    An update from a thousand samples moves hardly further than one from fifty. The data were gone through as often as
    planned, and the model still made too few steps.

    ## What to try
    Use smaller batches, or more epochs and a larger learning rate.

    ## When it is wrong
    Methods that need all data at once, such as L-BFGS, which are left out.
    """
    sizes, losses = window.steps["batch_size"], window.loss_series().finite
    known = sizes[np.isfinite(sizes)]
    if len(known) < 5 or len(losses) < 5:
        raise Skip("fewer than 5 steps with a known batch")
    size = float(np.median(known))
    if size < samples or window.last_step >= updates or any(each.kind == "LBFGS" for each in window.optimizers):
        return None
    if broken_off(window) is not None:
        raise Skip("more rounds were planned, and the loop was left before them")
    lengths = [
        loader.length
        for loader in window.loaders
        if loader.length and loader.batch_size and loader.batch_size <= loader.length
    ]
    total = max(lengths, default=int(size))
    values = losses.values
    if size < 0.25 * total or not values[0] > 0 or not _is_unfinished(window, values, left):
        return None
    return window.finding(
        f"{window.count} steps with {int(size)} samples each; the loss went from {values[0]:.3g} to {values[-1]:.3g}",
        where=window.at(window.given(data_line(window), "batch_size")),
        confidence=0.75,
        batch_size=size,
        updates=window.count,
        loss=values,
    )


def _is_unfinished(window: Window, values: Array, left: float) -> bool:
    """Whether the loss was still falling, and had far to go."""
    middle = float(values[len(values) // 2])
    falling = values[-1] < middle - 0.5 * np.std(np.diff(values[len(values) // 2 :]))
    far = ending(values) >= left * values[0]
    return bool(falling and (far or (ending(values) < 0.75 * middle and (error_left(window) or 0) > 0.2)))
