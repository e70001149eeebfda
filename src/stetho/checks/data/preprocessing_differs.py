"""preprocessing-differs: training and evaluation see inputs of different distributions."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.asked import are_of_two_kinds, comparable
from stetho.checks.evidence.inputs import (
    acts_between_steps,
    empty_share,
    feeds_itself,
    is_fed_by_another,
    overall,
    prepared_line,
)
from stetho.checks.evidence.outcome import error_left
from stetho.checks.evidence.redrawn import are_redrawn, never_come_again
from stetho.checks.mechanisms.refitted import refitted
from stetho.checks.mechanisms.shifted import lasting_shift
from stetho.checks.mechanisms.unknown import unknown_tokens
from stetho.checks.run.table import Table
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(
    severity="error",
    explains=("overfitting",
              "evaluation-at-chance", "metric-not-following", "train-mode-in-eval", "batch-norm-momentum",
              "labels-independent-of-inputs", "too-few-examples"),
)  # fmt: skip
def preprocessing_differs(
    window: Window, *, scale: float = 2.0, shift: float = 1.0, samples: int = 16
) -> Finding | None:
    """Training and evaluation are preprocessed differently.

    ## What it finds
    Over at least `samples` samples each, the inputs of one model differ between training and evaluation: by a factor of
    `scale` in their deviation, or by more than `shift` deviations in their mean, over all or in most features. Or small
    batches that are evaluated have mean 0 and deviation 1 in every feature, each by itself. Or the
    first id of a vocabulary, hardly there in training, makes a large part of the tokens that are evaluated.

    ## Why it matters
    The model is asked about inputs of a kind that it has never seen. It looks like overfitting and is none.

    ## What to try
    Apply the same steps with the same numbers (those of the training data) to both, in one function.

    ## When it is wrong
    Noise that is added in training on purpose, which draws each sample anew, is a note only where the evaluation goes
    well. So is a model that is called several times for one loss, with boundary points and inner points say: only the
    first call is looked at. Agents that act before each step are left out, inputs that another model makes which learns
    or that are alike at the end of the run, and evaluations by hand of which a part is like the training and a part is
    not, as where a model is to tell what is new.
    """
    judged = 0
    for model in window.models:
        unknown = unknown_tokens(window, model.id) if model.is_trained else None
        if unknown is not None:
            return unknown
        asked = window.batches("eval", model.id)
        train, other = comparable(window.batches("train", model.id), asked)
        if (
            not model.is_trained
            or train.count < 2
            or not other.count
            or _total(other) < samples
            or _total(train) < samples
            or is_fed_by_another(window, model.id)
        ):
            continue
        judged += 1
        found = refitted(train, other) or lasting_shift(train, other, scale, shift, samples)
        if found is None or feeds_itself(other) or acts_between_steps(window, asked) or are_of_two_kinds(train, other):
            continue
        (mean, deviation), (other_mean, other_deviation) = overall(train), overall(other)
        partly_seen = _calls_for_one_loss(window) > sum(each.is_trained for each in window.models)
        return window.finding(
            f"inputs have mean {mean:.3g} and deviation {deviation:.3g} in training, {other_mean:.3g} and "
            f"{other_deviation:.3g} in evaluation ({found})",
            where=window.at(window.line("evaluation data") or prepared_line(window, model.id, "eval")),
            severity="note" if partly_seen or _is_on_purpose(window, train, other) else "error",
            confidence=0.93,
            train_mean=mean,
            train_std=deviation,
            eval_mean=other_mean,
            eval_std=other_deviation,
        )
    if not judged:
        raise Skip("training and evaluation were not both looked at")
    return None


def _total(rows: Table) -> float:
    return float(rows["size"].sum())


def _is_on_purpose(window: Window, train: Table, other: Table) -> bool:
    """Whether training samples get random noise or are masked, and the evaluation does not suffer from it."""
    noisy, masked = overall(train)[1] > overall(other)[1], empty_share(train) > empty_share(other) + 0.1
    left = error_left(window)
    if not (noisy or masked) or (left is not None and left > 0.3):
        return False
    return are_redrawn(window, train) or (left is not None and never_come_again(window, train))


def _calls_for_one_loss(window: Window) -> float:
    """How many passes a backward usually goes through."""
    calls = [events[: events.index("backward")].count("forward") for events in window.orders if "backward" in events]
    return float(np.median(calls)) if calls else 0.0
