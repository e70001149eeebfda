"""too-few-examples: the model learns a handful of samples by heart."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.compared import ending
from stetho.checks.evidence.inputs import data_line, evaluated_samples, gives_one_batch, has_other_passes
from stetho.checks.evidence.labels import labelled
from stetho.checks.evidence.outcome import FEWEST_ANSWERS, error_left, is_restored
from stetho.checks.run.series import Series
from stetho.checks.window import Window
from stetho.findings.finding import Finding

ONE_BATCH = "Every step was given the same samples: let the rows depend on the step, or get more where these are all."


@check(severity="warning", needs_end=True, explains=("overfitting",))
def too_few_examples(
    window: Window, *, ratio: float = 20.0, most: int = 500, worse: float = 3.0, left: float = 0.2
) -> Finding | None:
    """Too few examples for the parameters.

    ## What it finds
    Fewer than `most` different training samples, more than `ratio` parameters for each, and a loss in evaluation that
    rises again and ends more than `worse` times above that in training; or more than twice as many samples are
    evaluated, with more than the share `left` of the error of a guess, and hardly any error in training.

    ## Why it matters
    With so many parameters for each sample the model can store them all, and what it stores does not hold for new ones.

    ## What to try
    Get more data, augment what there is, use a smaller or a pretrained model, or stop when the evaluation is best.

    ## When it is wrong
    Small data that are learnt by heart on purpose; without an evaluation nothing is said. It is a note where the
    program loads an earlier state at its end, as with early stopping.
    """
    examples = _examples(window)
    if examples is None or has_other_passes(window):
        raise Skip("the number of training samples is not known")
    evaluation = window.metric("loss", "eval")
    wrong = error_left(window) if labelled(window, "eval").count else None
    has_losses = evaluation is not None and len(evaluation.finite) >= 3
    if not has_losses and wrong is None:
        raise Skip("fewer than 3 evaluations were seen")
    parameters = sum(p.count for p in window.parameters if p.trainable and p.optimizer is not None)
    losses = window.loss_series().finite
    if examples >= most or parameters < ratio * examples or not len(losses):
        return None
    found = _rise(evaluation.finite, losses, worse) if has_losses and evaluation is not None else None
    if found is None and wrong is not None and evaluated_samples(window) > 2 * examples:
        found = _gap(window, wrong, left, worse)
    if found is None:
        return None
    return window.finding(
        f"{examples} training samples for {parameters:,} parameters: {found}",
        where=window.at(window.given(data_line(window), "rows", examples)),
        # What rose after the best point is no harm to a program that goes back to it.
        severity="note" if is_restored(window) else None,
        confidence=0.8,
        try_next=ONE_BATCH if gives_one_batch(window) else "",
        samples=examples,
        parameters=parameters,
        train_loss=losses.values,
        eval_loss=evaluation.values if evaluation is not None else [],
    )


def _rise(evaluation: Series, losses: Series, worse: float) -> str | None:
    """The loss of an evaluation that gets worse again, and is far above that of the training."""
    train, lowest = max(ending(losses.values), 1e-12), float(evaluation.values.min())
    last = min(ending(evaluation.values), float(evaluation.values[-1]))
    if last < max(1.15 * lowest, worse * train):
        return None
    return f"the loss is {train:.2g} in training and {last:.3g} in evaluation, where it rose from {lowest:.3g}"


def _gap(window: Window, wrong: float, left: float, worse: float) -> str | None:
    """The errors of an evaluation, where next to none are left in training at its best: later on it may be unsteady."""
    wrong, right = min(wrong, _least_wrong(window, wrong)), _most_right(window)
    if wrong < left or right < 1 - wrong / worse / 2:
        return None
    return (
        f"{right:.0%} of the answers are right in training, while {wrong:.0%} of the "
        f"error of a guess are left in the evaluation of {evaluated_samples(window)} samples"
    )


def _most_right(window: Window) -> float:
    """The share of right answers in the best tenth of the training; 0 where few were counted."""
    rows = labelled(window)
    tenths = np.minimum(10 * rows["step"] // (window.last_step + 1), 9)
    parts = [rows.where(tenths == tenth) for tenth in range(10)]
    sums = [(np.nansum(part["correct"]), np.nansum(part["counted"])) for part in parts]
    return float(max((right / counted for right, counted in sums if counted >= FEWEST_ANSWERS), default=0.0))


def _least_wrong(window: Window, wrong: float) -> float:
    """The error that was left in the best evaluation, by that of the last."""
    answers = window.metric("accuracy", "eval")
    if answers is None or not len(answers.finite) or answers.last >= 1:
        return wrong
    return wrong * (1 - float(answers.finite.values.max())) / (1 - answers.last)


def _examples(window: Window) -> int | None:
    rows = window.batches("train")
    numbers = rows["loader"][np.isfinite(rows["loader"])]
    if len(numbers):
        return next((loader.length for loader in window.loaders if loader.id == numbers[0]), None)
    seen = [samples for samples in rows["samples"] if samples is not None]
    whole = (rows["size"] <= 64) & np.array([samples is not None for samples in rows["samples"]], bool)
    if not seen or not whole.any():
        return None
    together = np.concatenate(seen)
    different = len(np.unique(together))
    # Only when samples come again and again is what was seen all that there is.
    return different if len(together) >= 4 * different else None
