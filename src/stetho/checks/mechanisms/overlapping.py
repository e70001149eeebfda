"""Batches that begin one sample after each other, where each was meant to begin where the one before it ends."""

from collections import Counter
from itertools import pairwise

import numpy as np

from stetho.checks.evidence.inputs import RECURRENT, order_line
from stetho.checks.run.series import Array
from stetho.checks.run.table import Table
from stetho.checks.window import Window
from stetho.findings.finding import Finding

LEAST_PAIRS = 8
MOST = 0.9
LEAST_SHARED = 0.5
"""Batches one after the other that have so much in common, in the same order, are windows that slide."""


def overlapping(window: Window) -> Finding | None:
    """Samples that slide through the batches from step to step, pass after pass over the same few.

    A window that slides once over the data is how a stream is learnt, and rows of a sequence are no samples.
    """
    rows = window.batches("train", 0)
    rows = rows.where(np.array([samples is not None and len(samples) > 1 for samples in rows["samples"]], bool))
    shifts = _shifts(rows)
    if len(shifts) < LEAST_PAIRS or any(layer.is_kind(*RECURRENT) for layer in window.layers):
        return None
    shift, often = Counter(shifts).most_common(1)[0]
    hashes = window.batches("train", 0)["hash"]
    returns = np.unique(hashes[np.isfinite(hashes)], return_counts=True)[1].max(initial=0) > 1
    if shift == 0 or often < MOST * len(shifts) or not returns:
        return None
    size, seen = int(np.median(rows["size"])), len(np.unique(np.concatenate([*rows["samples"]])))
    return window.finding(
        f"each batch of {size} begins {shift} sample{'s' if shift > 1 else ''} after the one before, and repeats the "
        f"other {size - shift}: {seen} different samples were met in the first {int(rows['step'].max())} steps",
        where=window.at(order_line(window)),
        confidence=0.9,
        try_next="Move on by a whole batch: x[i * n : (i + 1) * n], or a range over the samples with the batch size as "
        "its step.",
        different_samples=float(seen),
    )


def _shifts(rows: Table) -> list[int]:
    """By how many samples each batch is ahead of the one of the step before; 0 where it is no window that slides."""
    steps, samples = rows["step"], rows["samples"]
    # Of a large batch not every sample is looked at, and a shift cannot be seen.
    whole = [len(each) == size for each, size in zip(samples, rows["size"], strict=True)]
    pairs = [(a, b) for a, b in pairwise(range(rows.count)) if steps[b] - steps[a] == 1 and whole[a] and whole[b]]
    return [_shift(np.asarray(samples[a]), np.asarray(samples[b])) for a, b in pairs]


def _shift(before: Array, after: Array) -> int:
    place = np.flatnonzero(before == after[0])
    if len(before) != len(after) or not len(place) or place[0] == 0:
        return 0
    shift = int(place[0])
    shared = len(before) - shift
    return shift if shared >= LEAST_SHARED * len(before) and (before[shift:] == after[:shared]).all() else 0
