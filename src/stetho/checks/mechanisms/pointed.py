"""Scores of all samples of a batch for one another, whose targets are not the rows of their own."""

from math import log

import numpy as np

from stetho.checks.evidence.labels import labelled
from stetho.checks.window import Window
from stetho.findings.finding import Finding

FEWEST = 4
SHARE = 0.9
NO_BETTER = 0.9
"""Of the loss of a guess: what has found its partners is far below."""


def pointed_elsewhere(window: Window) -> Finding | None:
    """A softmax over the samples of the batch, with targets that name the same few of them, and nothing learnt.

    The partner of a sample stands in a row of its own, so that each row is the target of one sample. Scores that are
    products of unit vectors, or targets that are one number for all, tell such a comparison from one of classes.
    """
    compared = window.probes.get("bounded", {})
    loss = next((each for each in window.losses if each.phase == "train" and each.call == "cross_entropy"), None)
    shape = loss.input_shape if loss is not None else None
    if loss is None or shape is None or len(shape) != 2 or shape[0] != shape[1] or shape[0] < FEWEST:
        return None
    choices = shape[1]
    rows = labelled(window)
    rows = rows.where((rows["size"] == choices) & (rows["counted"] == choices))
    losses = rows["loss"][np.isfinite(rows["loss"])]
    if rows.count < FEWEST or len(losses) < FEWEST or any(len(counts) != choices for counts in rows["label_counts"]):
        return None
    counts = np.stack(list(rows["label_counts"]))
    named = (counts > 0).sum(1)
    is_comparison = int(compared.get("choices", 0)) == choices or bool((counts.sum(0) > 0).sum() == 1)
    repeated = float(np.mean(named < 0.5 * choices))
    late = float(np.median(losses[-max(len(losses) // 4, 3) :]))
    if not is_comparison or repeated < SHARE or late < NO_BETTER * log(choices):
        return None
    places = int(np.median(named))
    said = f"are all {int(counts.sum(0).argmax())}" if places == 1 else f"name {places} of these alone"
    return window.finding(
        f"the scores compare {choices} samples with the {choices} of the batch, and their targets {said}: the loss "
        f"stays at {late:.3g}, as for a guess ({log(choices):.3g})",
        # Labels of classes are right where they are made, and wrong where they are compared with rows.
        where=window.at((loss.target_made if places == 1 else None) or loss.line),
        confidence=0.9,
        try_next="Where the partner of a sample is in the row of its own, its target is that row: torch.arange(n).",
        targets=named,
        loss=losses,
    )
