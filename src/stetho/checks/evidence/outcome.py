"""How good the model is when the run ends, against a guess: what turned out well needs no alarm about the way there."""

import numpy as np

from stetho.checks.evidence.labels import labelled, majority
from stetho.checks.window import Window

SQUARED = ("mse_loss", "hand_written_difference")
FEWEST_ANSWERS = 50
EARLY = 0.5
WELL = 0.1
"""With less than this share of the error of a guess, a model is good."""


def error_left(window: Window) -> float | None:
    """The error at the end as a share of what a guess would make; of the evaluation where there is one.

    0 is perfect, 1 no better than always saying the most frequent class or the mean. None where it is not known.

    >>> from stetho.testing import make_window
    >>> answers = {"label_counts": [[50, 50]] * 60, "correct": 75, "counted": 100}
    >>> error_left(make_window(steps=60, batch=answers, eval_batch={"label_counts": None}))
    0.5
    """
    for phase in ("eval", "train"):
        wrong = _wrong_answers(window, phase)
        if wrong is None:
            wrong = _unexplained(window, phase)
        if wrong is not None:
            return wrong
    return None


def ends_well(window: Window) -> bool:
    """Whether it is known that little error is left."""
    left = error_left(window)
    return left is not None and left < WELL


def _wrong_answers(window: Window, phase: str) -> float | None:
    rows, frequent = labelled(window, phase), majority(window, phase)
    if not rows.count or frequent is None or frequent >= 0.999:
        return None
    # Where answers were only seen early, and models were asked again later, they say nothing of the end.
    asked = window.batches(phase)["step"].max(initial=0)
    if phase == "eval" and rows["step"].max() < min(asked, EARLY * window.last_step):
        return None
    # The last evaluation, or the last tenth of the training.
    since = rows["step"][-1] if phase == "eval" else 0.9 * window.last_step
    last = rows.where(rows["step"] >= since)
    counted = np.nansum(last["counted"])
    if counted < FEWEST_ANSWERS:
        return None
    return float((1 - np.nansum(last["correct"]) / counted) / (1 - frequent))


def _unexplained(window: Window, phase: str) -> float | None:
    """The mean squared error against the variance of the targets."""
    calls = {loss.call for loss in window.losses if loss.phase == "train" and loss.reduction == "mean"}
    targets = window.batches("train")
    spread = float(np.nanmean(targets["target_std"] ** 2)) if np.isfinite(targets["target_std"]).any() else 0.0
    if not calls or not calls <= set(SQUARED) or spread <= 0:
        return None
    found = window.metric("loss", "eval") if phase == "eval" else window.loss_series()
    if found is None or not len(found) or not np.isfinite(found.values[-3:]).all():
        return None
    last = found.values[-1:] if phase == "eval" else found.values[-max(3, len(found) // 10) :]
    return float(np.median(last)) / spread


def is_restored(window: Window) -> bool:
    """Whether a program gives its model a state that it kept when all steps are done: it stops at the lowest point."""
    # Not every step of a long run has a row; evaluations tell how far it went.
    steps = np.concatenate([window.steps["step"], window.batches("eval")["step"]])
    return any(load.step is not None and load.step >= steps.max() and load.matched and not load.missing
               and load.kept is None for load in window.loads)  # fmt: skip
