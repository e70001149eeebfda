"""metric-not-following: the loss falls and the accuracy does not rise."""

import numpy as np

from stetho.checks.compared import beginning, ending
from stetho.checks.declare import Skip, check
from stetho.checks.labels import majority
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(severity="warning", needs_end=True, explains=("loss-plateau", "stopped-early"))
def metric_not_following(window: Window, *, fall: float = 0.5, steps: int = 100) -> Finding | None:
    """The loss falls, the metric does not follow.

    ## What it finds
    Over at least `steps` steps, the loss that goes backward falls below `fall` of where it began, while the share of
    right answers stays where it was and no better than always saying the most frequent class.

    ## Why it matters
    What is minimised is not what is wanted: another term of the loss, a degenerate solution, or answers that are read
    off another dimension than the one that is trained.

    ## What to try
    Compute loss and metric of one batch by hand and see which part of the loss falls.

    ## When it is wrong
    Few answers in each batch; the noise of the accuracy is taken into account.
    """
    accuracy, losses = window.steps["accuracy"], window.loss_series().finite
    known = accuracy[np.isfinite(accuracy)]
    if len(known) < steps or len(losses) < steps or len(window.optimizers) > 1:
        raise Skip("no accuracy beside the loss of one optimizer")
    frequent = majority(window)
    if frequent is None:
        raise Skip("labels were not counted")
    half = known[len(known) // 2 :]
    counted = window.batches("train")["counted"]
    noise = 3 * float(np.sqrt(0.25 / max(np.nansum(counted[-len(half) :]), 1)))
    first, last = beginning(losses.values), ending(losses.values)
    at_chance = (
        half.mean() <= frequent + noise + 0.05 * (1 - frequent) and half.mean() <= beginning(known) + noise + 0.02
    )
    if not (at_chance and first > 0 and last < fall * first):
        return None
    return window.finding(
        f"the loss falls from {first:.3g} to {last:.3g} and the accuracy stays at {half.mean():.1%}, "
        f"with {frequent:.1%} for the most frequent class",
        where=window.at(window.line("backward")),
        confidence=0.6,
        loss=losses.values,
        accuracy=known,
    )
