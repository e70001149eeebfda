"""Targets that are tokens of the input at the wrong place: where they are given, or too far ahead."""

from stetho.checks.run.facts import Loss
from stetho.checks.window import Window
from stetho.findings.finding import Finding


def copied_inputs(window: Window) -> Finding | None:
    """Tokens that are asked for at the place where they are given, in training only."""
    shares = {
        phase: [share for loss in window.losses if loss.phase == phase and (share := _share(loss)) is not None]
        for phase in ("train", "eval")
    }
    if not shares["train"] or not shares["eval"] or min(shares["train"]) < 0.99 or max(shares["eval"]) > 0.5:
        return None
    call = next(loss for loss in window.losses if loss.phase == "train" and _share(loss) is not None)
    return window.finding(
        f"the targets of the training are its inputs, token for token; in evaluation {max(shares['eval']):.0%} are",
        where=window.at(window.given(call.line, "shift")),
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


def _share(loss: Loss) -> float | None:
    share = loss.settings.get("target_is_input")
    return float(share) if isinstance(share, int | float) else None
