"""Whether a model answers no better than a guess when the run ends, in words."""

import numpy as np

from stetho.checks.evidence.chance import share_noise
from stetho.checks.evidence.compared import ending
from stetho.checks.evidence.labels import labelled, majority
from stetho.checks.evidence.outcome import SQUARED
from stetho.checks.run.series import Array
from stetho.checks.run.table import Table
from stetho.checks.window import Window

ABSOLUTE = ("l1_loss", "hand_written_distance")
BOTH = ("smooth_l1_loss", "huber_loss")
"""Squares of small errors and absolute values of large ones: what a guess costs depends on where they part."""


def at_a_guess(window: Window, classes: int, slack: float) -> str | None:
    """How far the answers are from a guess, where that is no further than by `slack`; None where it is, or unknown."""
    has_answers = classes > 0 or any(loss.call.startswith("binary_cross_entropy") for loss in window.losses)
    return _guessing(window, slack) if has_answers else _no_better_than_mean(window)


def _guessing(window: Window, slack: float) -> str | None:
    rows, phase = labelled(window, "eval"), "eval"
    # Noise that a model takes for a rule moves its answers about; what counts is where they end.
    late = rows.where(rows["step"] >= 0.6 * window.last_step)
    rows = late if late.count and late["counted"].sum() >= 50 else rows
    if rows.count and rows["counted"].sum() >= 50:
        right, counted = rows["correct"].sum(), rows["counted"].sum()
    else:
        rows, phase = labelled(window), "train"
        rows = rows.where(rows["step"] >= 0.7 * window.last_step)
        right, counted = rows["correct"].sum(), rows["counted"].sum()
    frequent = majority(window, phase)
    trained = majority(window) or 0.0
    # Where nearly all labels are one, answers that follow the inputs and a guess are right equally often.
    if not counted or frequent is None or max(frequent, trained) > 0.8:
        return None
    if right / counted > frequent + slack + share_noise(frequent, counted):
        return None
    where = "in evaluation" if phase == "eval" else "in training at the end"
    return f"{right / counted:.1%} of the answers are right {where}, as for a guess ({frequent:.1%})"


def _no_better_than_mean(window: Window) -> str | None:
    rows = window.batches("train")
    mean_error = float(np.nanmean(rows["target_std"] ** 2) + np.nanvar(rows["target_mean"]))
    evaluated = window.metric("loss", "eval")
    losses = evaluated.finite.values if evaluated is not None else _own_losses(window, rows)
    calls = {loss.call for loss in window.losses if loss.phase == "train" and loss.reduction == "mean"}
    if calls and calls <= set(ABSOLUTE):
        return _no_better_than_middle(losses, np.sqrt(mean_error))
    if calls and calls <= set(BOTH):
        return _nothing_gained(losses, float(np.nanmedian(window.loss_series().values[:5])))
    if not calls or not calls <= set(SQUARED) or not len(losses) or not ending(losses) > 0.9 * mean_error:
        return None
    return f"the error at the end is {ending(losses):.3g}, with {mean_error:.3g} for the mean of the targets"


def _own_losses(window: Window, rows: Table) -> Array:
    """What the loss function gave: that of a step may be a sum of many, and of another optimizer as well."""
    losses = rows["loss"][np.isfinite(rows["loss"]) & np.isfinite(rows["target_std"])]
    return losses if len(losses) else window.loss_series().finite.values


def _no_better_than_middle(losses: Array, deviation: float) -> str | None:
    """The same for absolute errors: nothing was gained since the start; a guess costs 0.8 deviations or less."""
    if len(losses) < 2 or not ending(losses) > 0.95 * min(float(losses[0]), 0.8 * deviation):
        return None
    return f"the error at the end is {ending(losses):.3g}, with {deviation:.3g} for the deviation of the targets"


def _nothing_gained(losses: Array, start: float) -> str | None:
    """Whether the error never came down, neither from the first steps on nor from one evaluation to another."""
    if len(losses) < 4 or not float(losses.min()) > 0.95 * max(start, float(losses[0])):
        return None
    return f"the error at the end is {ending(losses):.3g}, with {start:.3g} at the start"
