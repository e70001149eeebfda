"""Targets that are tokens of the input at the wrong place: where they are given, or too far ahead."""

import numpy as np

from stetho.checks.evidence.experiments import CLEAR, experiment
from stetho.checks.run.facts import Loss
from stetho.checks.run.series import Array
from stetho.checks.window import Window
from stetho.findings.finding import Finding

LEAST_CALLS = 3
MOST_LONGER = 0.6
"""So often an input is one token longer than the one before: in between, another text begins."""


def copied_inputs(window: Window) -> Finding | None:
    """Tokens that are asked for at the place where they are given, in training only, or by a model that writes on.

    Or by one that reads in one direction: what comes later it cannot tell, and what it is asked for it was given.
    """
    shares = {
        phase: [share for loss in window.losses if loss.phase == phase and (share := _share(loss)) is not None]
        for phase in ("train", "eval")
    }
    if not shares["train"] or min(shares["train"]) < 0.99:
        return None
    is_reader = _reads_one_way(window)
    if not is_reader and max(shares["eval"], default=0.0) > 0.5:
        return None
    if not is_reader and not shares["eval"] and not _goes_on_by_itself(window):
        return None
    call = next(loss for loss in window.losses if loss.phase == "train" and _share(loss) is not None)
    other = "in evaluation it is given its own answers, one after the other"
    if shares["eval"]:
        other = f"in evaluation {max(shares['eval']):.0%} are"
    if is_reader:
        other = "the model sees none that come later, and has nothing to learn but to copy"
    cut = window.given(call.line, "targets")
    return window.finding(
        f"the targets of the training are its inputs, token for token; {other}",
        where=window.at(cut if cut != call.line else window.given(call.line, "shift")),
        confidence=0.95,
        try_next="Shift the targets by one: inputs ids[:, :-1], targets ids[:, 1:].",
        loss=window.loss_series().values,
    )


def skipped_tokens(window: Window) -> Finding | None:
    """Tokens that are asked for two places ahead and more, and none at the next place: shifted once too often."""
    calls = [loss for loss in window.losses if loss.phase == "train"]
    ahead = [loss.settings.get("target_ahead") for loss in calls]
    if not calls or not all(isinstance(places, int) and places > 1 for places in ahead):
        return None
    return window.finding(
        f"the targets are the tokens of the input {ahead[0]} places ahead: the one between is never learnt",
        where=window.at(window.given(calls[0].line, "shift")),
        confidence=0.92,
        try_next="Shift the targets once only: a model that is given labels shifts them itself.",
        loss=window.loss_series().values,
    )


def _goes_on_by_itself(window: Window) -> bool:
    """Whether the model whose answers are trained is evaluated token by token, or with inputs longer by one each time.

    Who writes that way asks for the next token. What gives back its input is not asked so.
    """
    train = window.batches("train")
    trained = {int(model) for model, call in zip(train["model"], train["loss_call"], strict=True) if call is not None}
    for model in trained:
        rows, wide = window.batches("eval", model), _widths(window.batches("train", model)["shape"])
        last = rows.where(rows["step"] == rows["step"].max()) if rows.count else rows
        widths = _widths(last["shape"])
        if len(widths) < LEAST_CALLS or len(widths) < last.count or not len(wide) or np.median(wide) < LEAST_CALLS:
            continue
        steps = np.diff(widths)
        # What is to be continued comes first, at once.
        if (widths[1:] == 1).all() or (steps == 1).mean() > MOST_LONGER:
            return True
    return False


def _reads_one_way(window: Window) -> bool:
    """Whether an answer depends on the token at its own place, and on none of those after it, as a copy showed."""
    tried = experiment(window)
    return tried.future is not None and tried.future <= CLEAR < (tried.at_future or 0.0)


def _widths(shapes: Array) -> Array:
    """How many tokens each input has in a row."""
    return np.array([int(shape[1]) for shape in shapes if shape is not None and len(shape) == 2], int)


def _share(loss: Loss) -> float | None:
    share = loss.settings.get("target_is_input")
    return float(share) if isinstance(share, int | float) else None
