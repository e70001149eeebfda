"""overfitting: the loss on other data rises while the loss in training falls."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.asked import asks_for_two_kinds
from stetho.checks.evidence.curve import main_curve
from stetho.checks.evidence.outcome import ends_well, is_restored
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(severity="warning", needs_end=True)
def overfitting(window: Window, *, rise: float = 1.5, gap: float = 4.0, least: int = 4) -> Finding | None:
    """The model learns its training data by heart.

    ## What it finds
    An evaluation loss that ends above `rise` times its lowest point, and above `gap` times the training loss, which
    went on falling meanwhile; from `least` evaluations on. With less of a gap, losses that are summed, or
    hardly any error left in the end, it is a note.

    ## Why it matters
    Each step after the lowest point makes the model worse on everything it has not seen.

    ## What to try
    Stop at the lowest point, use more data or augmentation, or a smaller model, dropout or weight decay.

    ## When it is wrong
    A few examples that are fitted on purpose, as a test. It is a note where the program loads an earlier state at its
    end, as with early stopping, and where data of another kind are evaluated by hand beside the usual ones. Accuracy
    may still rise while the loss does: the model is only more sure of its errors.
    """
    evaluation = window.metric("loss", "eval")
    if evaluation is None or len(evaluation.finite) < least:
        raise Skip(f"fewer than {least} evaluations with a loss were seen")
    evaluation = evaluation.finite
    place = int(np.argmin(evaluation.values))
    # An evaluation that ends at its lowest does not rise, however high the one before it was.
    low, last = float(evaluation.values[place]), min(float(np.median(evaluation.values[-2:])), evaluation.last)
    curve = main_curve(window)
    training = curve.series.finite
    then, now = (_around(training.steps, training.values, at) for at in (evaluation.steps[place], training.steps[-1]))
    # A sum over the samples or pixels of a batch says nothing beside a mean, or beside a sum over a larger batch.
    is_comparable = all(loss.reduction != "sum" for loss in window.losses)
    is_by_heart = is_comparable and last > 0.4 * curve.first and now < 0.05 * last and last > 0.98 * low
    if low <= 0 or not (is_by_heart or (last > 1.15 * low and now < 0.9 * then)):
        return None
    is_clear = is_by_heart or (is_comparable and last > rise * low and last > gap * now and not ends_well(window))
    is_clear &= not is_restored(window) and not asks_for_two_kinds(window)
    return window.finding(
        f"the evaluation loss rises from {low:.3g} at step {int(evaluation.steps[place])} to {last:.3g}, "
        f"while the training loss falls from {then:.3g} to {now:.3g}",
        where=window.at(window.line("backward")),
        steps=(int(evaluation.steps[place]), int(evaluation.steps[-1]), len(evaluation) - place),
        severity=None if is_clear else "note",
        confidence=0.8 if is_clear else 0.6,
        evaluation_loss=evaluation.values,
        training_loss=training.values,
    )


def _around(steps: "np.ndarray[tuple[int], np.dtype[np.int64]]", values: "np.ndarray[tuple[int], np.dtype[np.float64]]",
            at: int) -> float:  # fmt: skip
    """The level of the training loss up to a step."""
    width = max(len(steps) // 20, 3)
    before = values[steps <= at][-width:]
    return float(np.median(before)) if len(before) else float("nan")
