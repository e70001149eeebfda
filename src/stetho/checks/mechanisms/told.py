"""Targets that a decoder is given at the very place where it is asked for them."""

from stetho.checks.evidence.experiments import CLEAR, experiment
from stetho.checks.window import Window
from stetho.findings.finding import Finding


def told_targets(window: Window) -> Finding | None:
    """An input that is the target, token for token, and answers that depend on the one at their own place."""
    calls = [loss for loss in window.losses if loss.phase == "train" and "target_same_of" in loss.settings]
    tried = experiment(window)
    # Where a whole text goes through a code that is drawn, as in an autoencoder, it is meant to be seen.
    if not calls or tried.random > CLEAR:
        return None
    number = int(calls[0].settings["target_same_of"])
    moved = tried.presents.get((number, 1))
    if moved is None or moved <= CLEAR:
        return None
    return window.finding(
        f"the targets are what the model is given as input {number + 1}, token for token, and it sees them: an answer "
        f"moves by {moved:.2g} of the spread when the token at its own position changes",
        where=window.at(window.given(window.returns(), f"argument {number}") or calls[0].line),
        confidence=0.95,
        try_next="Give the decoder the targets one position late: a start token, then `targets[:, :-1]`.",
        moved=moved,
    )
