"""metric-not-following: the loss falls and the accuracy does not rise."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.compared import REGRESSION, beginning, ending
from stetho.checks.evidence.labels import label_counts, majority
from stetho.checks.evidence.outcome import error_left
from stetho.checks.mechanisms.misplaced import copied_inputs, skipped_tokens
from stetho.checks.window import Window
from stetho.findings.finding import Finding

HARDLY_ANY_OTHER = 0.85
"""With so many labels of one class, the share of right answers tells little: a good model may say the others rarely."""


@check(severity="warning", needs_end=True, explains=("loss-plateau", "stopped-early", "overfitting", "too-small-model"))
def metric_not_following(window: Window, *, fall: float = 0.5, steps: int = 100) -> Finding | None:
    """The loss falls, the metric does not follow.

    ## What it finds
    Over at least `steps` steps, the loss that goes backward falls below `fall` of where it began, while the share of
    right answers stays where it was and no better than always saying the most frequent class. Or classes are predicted
    as values by their number, and most answers stay wrong. Or the targets of a training are its inputs, while an
    evaluation asks for something else; or they are tokens of the input further ahead than the next one.

    ## Why it matters
    What is minimised is not what is wanted: another term of the loss, a degenerate solution, or answers that are read
    off another dimension than the one that is trained.

    ## What to try
    Compute loss and metric of one batch by hand and see which part of the loss falls.

    ## When it is wrong
    Few answers in each batch; the noise of the accuracy is taken into account.
    """
    found = copied_inputs(window) or skipped_tokens(window) or _numbers_of_classes(window, steps)
    if found is not None:
        return found
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
    if not (at_chance and first > 0 and last < fall * first) or frequent > HARDLY_ANY_OTHER:
        return None
    return window.finding(
        f"the loss falls from {first:.3g} to {last:.3g} and the accuracy stays at {half.mean():.1%}, "
        f"with {frequent:.1%} for the most frequent class",
        where=window.at(window.loss_line()),
        confidence=0.6,
        loss=losses.values,
        accuracy=known,
    )


def _numbers_of_classes(window: Window, steps: int) -> Finding | None:
    """A regression of whole numbers whose answers are counted as right or wrong."""
    answers, losses = window.metric("accuracy", "eval"), window.loss_series().finite
    calls = [loss for loss in window.losses if loss.phase == "train"]
    left = error_left(window)
    if (
        answers is None
        or left is None
        or len(losses) < steps
        or not calls
        or any(c.call not in REGRESSION for c in calls)
    ):
        return None
    classes = label_counts(window, "eval")[0].shape[1]
    if classes < 3 or left < 0.4 or ending(losses.values) > 0.8 * beginning(losses.values, 0.0):
        return None
    first, last = beginning(losses.values, 0.0), ending(losses.values)
    return window.finding(
        f"the numbers of {classes} classes are predicted as values; the loss falls from {first:.3g} to {last:.3g}, "
        f"and {answers.last:.1%} of the answers are right",
        where=window.at(calls[0].line),
        confidence=0.85,
        try_next="Give each class an output of its own and use cross_entropy: class 3 is not between 2 and 4.",
        loss=losses.values,
        accuracy=answers.values,
    )
