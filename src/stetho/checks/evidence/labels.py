"""The labels of the batches that were seen."""

import numpy as np

from stetho.checks.run.series import Array
from stetho.checks.run.table import Table
from stetho.checks.window import Window


def label_counts(window: Window, phase: str = "train") -> tuple[Array, Array]:
    """How often each class is in each batch, a row for each, and the steps; both empty when labels were not counted."""
    rows = labelled(window, phase)
    if not rows.count:
        return np.zeros((0, 0)), np.zeros(0, int)
    return np.stack(list(rows["label_counts"])).astype(np.float64), rows["step"]


def labelled(window: Window, phase: str = "train") -> Table:
    """The batches whose labels were counted, all with the number of classes that is the most usual."""
    rows = window.batches(phase)
    widths = np.array([0 if counts is None else len(counts) for counts in rows["label_counts"]], int)
    if not (widths > 1).any():
        return rows.where(np.zeros(rows.count, bool))
    values, times = np.unique(widths[widths > 1], return_counts=True)
    return rows.where(widths == values[times.argmax()])


def majority(window: Window, phase: str = "train") -> float | None:
    """The share of the most frequent class."""
    counts, _ = label_counts(window, phase)
    return float(counts.sum(0).max() / counts.sum()) if counts.sum() > 0 else None


def is_one_a_sample(rows: Table) -> bool:
    """Whether a batch has one label for each sample."""
    return labels_a_sample(rows) == 1


def labels_a_sample(rows: Table) -> float:
    """How many labels a sample has, usually; 0 where that is not known."""
    known = np.isfinite(rows["counted"]) & (np.nan_to_num(rows["size"]) > 0)
    return float(np.median(rows["counted"][known] / rows["size"][known])) if known.any() else 0.0


def has_several_passes(window: Window) -> bool:
    """Whether a step has passes with labels of their own, as "real" and "fake" in adversarial training."""
    alone = len(window.optimizers) <= 1 and sum(model.is_trained for model in window.models) <= 1
    counted = [column[np.isfinite(column)] for column in (window.steps["forwards"], window.steps["backwards"])]
    return not alone or all(len(column) and bool(np.median(column) > 1) for column in counted)


def clustering(counts: Array) -> float:
    """How much labels come together in batches: 0 for batches drawn at random, 1 for batches of one label.

    >>> round(clustering(np.array([[8.0, 0.0], [0.0, 8.0]])), 2), clustering(np.array([[4.0, 4.0], [4.0, 4.0]])) <= 0
    (1.0, True)
    """
    sizes, total = counts.sum(1, keepdims=True), counts.sum(0)
    shares = total / total.sum()
    expected = sizes * shares[shares > 0]
    apart = (counts[:, shares > 0] - expected) ** 2 / expected
    freedom = (shares > 0).sum() - 1
    if freedom < 1 or sizes.mean() <= 1:
        return 0.0
    return float((apart.sum(1) / freedom - 1).mean() / (sizes.mean() - 1))
