"""Answers that are gathered in an evaluation and compared with labels in another order."""

import numpy as np

from stetho.checks.window import Window
from stetho.findings.finding import Finding


def in_another_order(window: Window, learnt: float) -> Finding | None:
    """Answers that were compared with the labels of the evaluation, but not each with its own."""
    found = window.probes.get("gathered", {})
    compared, own = float(found.get("compared", 0.0)), float(found.get("own", 0.0))
    if own < compared + learnt:
        return None
    used = {int(loader) for loader in window.batches("eval")["loader"] if np.isfinite(loader)}
    shuffled = [loader.line for loader in window.loaders if loader.id in used and loader.shuffled and loader.line]
    # A line that makes all loaders does not say which of them to shuffle.
    is_own = sum(loader.line in shuffled for loader in window.loaders) == len(shuffled)
    return window.finding(
        f"{found.get('count', 0)} answers are compared with their labels in another order: {compared:.1%} are right by "
        f"that, and {own:.1%} beside the labels that came with them",
        where=window.at(window.given(shuffled[0], "shuffle") if shuffled and is_own else found.get("line")),
        confidence=0.95,
        try_next="Gather the labels in the same loop as the answers, or leave the evaluated data in their order "
        "(shuffle=False).",
        compared=compared,
        own=own,
    )
