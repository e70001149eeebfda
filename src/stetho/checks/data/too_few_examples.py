"""too-few-examples: the model learns a handful of samples by heart."""

import numpy as np

from stetho.checks.compared import ending
from stetho.checks.declare import Skip, check
from stetho.checks.inputs import data_line
from stetho.checks.series import Series
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(severity="warning", needs_end=True, explains=("overfitting",))
def too_few_examples(window: Window, *, ratio: float = 20.0, most: int = 500, worse: float = 3.0) -> Finding | None:
    """Too few examples for the parameters.

    ## What it finds
    Fewer than `most` different training samples, more than `ratio` parameters for each, and a loss in evaluation that
    rises again and ends more than `worse` times above that in training.

    ## Why it matters
    With so many parameters for each sample the model can store them all, and what it stores does not hold for new ones.

    ## What to try
    Get more data, augment what there is, use a smaller or a pretrained model, or stop when the evaluation is best.

    ## When it is wrong
    Small data that are learnt by heart on purpose; without an evaluation nothing is said.
    """
    examples = _examples(window)
    if examples is None:
        raise Skip("the number of training samples is not known")
    evaluation = window.metric("loss", "eval")
    if evaluation is None or len(evaluation.finite) < 3:
        raise Skip("fewer than 3 evaluations were seen")
    parameters = sum(p.count for p in window.parameters if p.trainable and p.optimizer is not None)
    losses = window.loss_series().finite
    if examples >= most or parameters < ratio * examples or not len(losses):
        return None
    train, held_out = max(ending(losses.values), 1e-12), _rise(evaluation.finite)
    if held_out is None or held_out < worse * train:
        return None
    return window.finding(
        f"{examples} training samples for {parameters:,} parameters: the loss is {train:.2g} in training and "
        f"{held_out:.3g} in evaluation, where it rose from {evaluation.finite.values.min():.3g}",
        where=window.at(data_line(window)),
        confidence=0.8,
        samples=examples,
        parameters=parameters,
        train_loss=losses.values,
        eval_loss=evaluation.values,
    )


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


def _rise(evaluation: Series) -> float | None:
    last = min(ending(evaluation.values), float(evaluation.values[-1]))
    return last if last > 1.15 * float(evaluation.values.min()) else None
