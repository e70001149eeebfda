"""Passes for evaluation: which ones they are, and what goes on in them that should not."""

import numpy as np

from stetho.checks.evidence.curve import is_adversarial
from stetho.checks.evidence.experiments import CLEAR, experiment
from stetho.checks.run.series import Array
from stetho.checks.run.table import Table
from stetho.checks.window import Window
from stetho.findings.finding import Finding

AGAIN = 5
"""So often one batch is asked for between two steps by who wants to know how random the answers are."""


def stuck_dropout(window: Window, evaluated: Table) -> Finding | None:
    """Dropout as a function that does not know of the mode of the model."""
    tried = experiment(window)
    if not tried.dropouts or not tried.random > CLEAR or not evaluated.count:
        return None
    steps = evaluated["step"]
    return window.finding(
        f"dropout goes on in evaluation mode: answers for one input move by {tried.random:.2g} of their spread from "
        f"call to call, in {evaluated.count} evaluation passes",
        where=window.at(tried.dropouts[0]),
        steps=(steps[0], steps[-1], len(steps)),
        confidence=0.96,
        try_next="Pass training=self.training to the function, or use nn.Dropout.",
        moved=tried.random,
    )


def looks_like_evaluation(window: Window, rows: Table, model: int, least: int, rare: float) -> bool:
    """Whether passes of which no loss is known look like evaluations, and like nothing else."""
    trained = window.batches("train", model)
    times, counts = np.unique(rows["step"], return_counts=True)
    if rows.count < least or len(times) < 2 or not trained.count or is_adversarial(window):
        return False
    is_rare = len(times) <= max(rare * window.count, 2) and np.mean(counts == np.median(counts)) >= 0.8
    # An agent that acts looks at one state or a few at a time, and has no loader.
    has_loader = np.isfinite(rows["loader"]).all() and not np.isin(rows["loader"], _loaders(trained)).any()
    is_large = np.median(rows["size"]) >= 0.5 * np.median(trained["size"])
    return (
        bool(is_rare and (is_large or has_loader))
        and _shape(rows) == _shape(trained)
        and not _is_trained_on(rows, trained)
    )


def predicts_after_training(window: Window, rows: Table, model: int, least: int) -> bool:
    """Whether all passes come after the last step, each with data of its own that were not trained on.

    Samples drawn from a noisy model again and again have the same input; statistics are gathered from training data.
    """
    trained = window.batches("train", model)
    if window.is_running or rows.count < least or not trained.count or is_adversarial(window):
        return False
    is_over = bool((rows["step"] >= window.steps["step"][-1]).all())
    is_new = len(np.unique(rows["hash"])) > 0.9 * rows.count
    # Single samples are no batches of the loader that training takes them from.
    whole = rows.where(rows["size"] >= 0.5 * np.median(trained["size"]))
    is_known = _is_trained_on(whole, trained) or are_seen(rows, trained, 0.5)
    return is_over and is_new and _shape(rows) == _shape(trained) and not is_known


def asked_again(rows: Table) -> Array:
    """Which passes ask for the same batch again and again between two steps, in training mode.

    One answer is enough of a model that always gives the same: who asks so often wants to see how far random answers
    lie apart, as Monte-Carlo dropout does.
    """
    known = np.isfinite(rows["hash"]) & (rows["training"] == 1)
    batches = np.stack([rows["step"], rows["model"], rows["hash"]])[:, known]
    found = np.zeros(len(known), bool)
    if known.any():
        _, place, counts = np.unique(batches, axis=1, return_inverse=True, return_counts=True)
        found[known] = counts[place.ravel()] >= AGAIN
    return found


def _shape(rows: Table) -> tuple[int, ...] | None:
    shapes = [tuple(map(int, shape[1:])) for shape in rows["shape"] if shape is not None]
    return max(set(shapes), key=shapes.count) if shapes else None


def _is_trained_on(rows: Table, trained: Table) -> bool:
    """Whether the data are those of training, as when statistics are gathered anew."""
    # The loader is the last that gave something: a batch larger than its own was made by hand since.
    from_loader = np.isin(rows["loader"], _loaders(trained)) & (rows["size"] <= np.median(trained["size"]))
    return bool(from_loader.any()) or are_seen(rows, trained, 0.5)


def are_seen(rows: Table, trained: Table, share: float) -> bool:
    """Whether more than a share of the samples are trained on."""
    known, mine = set(_samples(trained)), _samples(rows)
    return sum(sample in known for sample in mine) > share * max(len(mine), 1)


def _loaders(trained: Table) -> Array:
    """Where the training batches come from; the first pass of an evaluation may be among them."""
    loaders, counts = np.unique(trained["loader"], return_counts=True)
    return loaders[counts > 0.2 * trained.count]


def _samples(rows: Table) -> list[int]:
    kept: list[Array] = [samples for samples in rows["samples"] if samples is not None]
    return [int(sample) for samples in kept for sample in samples]
