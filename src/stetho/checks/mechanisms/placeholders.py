"""Samples without a label of their own, which count in the loss with the class that stands in its place."""

from stetho.checks.run.facts import Loss
from stetho.checks.window import Window
from stetho.findings.finding import Finding

LEAST_SAMPLES = 40
LEAST_SHARE = 0.2
NEARLY_ALL = 0.95
SPREAD = 0.8
"""Labels that were exchanged for one class come from several: where one is mistaken for another, they do not."""


def placeholders(window: Window, loss: Loss) -> Finding | None:
    """Samples that all have one class in training, and several others where the same samples are evaluated."""
    found = window.probes.get("relabelled", {})
    both, differ = int(found.get("both", 0)), int(found.get("differ", 0))
    given, truth = found.get("given") or {}, found.get("truth") or {}
    if both < LEAST_SAMPLES or differ < LEAST_SHARE * both or loss.reduction not in ("mean", "sum"):
        return None
    filler = max(given, key=lambda label: given[label], default="")
    if given.get(filler, 0) < NEARLY_ALL * differ or max(truth.values(), default=differ) > SPREAD * differ:
        return None
    is_unweighted = loss.weight is not None and loss.weight[int(filler) : int(filler) + 1] == (0.0,)
    if is_unweighted or loss.ignore_index == int(filler):
        return None
    return window.finding(
        f"{differ} of {both} samples that are trained on and evaluated have class {filler} in training and "
        f"{len(truth)} others in evaluation: what has no label counts in {loss.call} as class {filler}",
        where=window.at(loss.line),
        confidence=0.92,
        try_next="Compute the loss only where labels are known: cross_entropy(out[train_mask], y[train_mask]), or give "
        "the others a label that `ignore_index` leaves out.",
        share=differ / both,
    )
