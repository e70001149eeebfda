"""Whether samples come back in other company: what a batch holds then says nothing of the next one."""

from itertools import combinations

import numpy as np

from stetho.checks.run.table import Table
from stetho.checks.window import Window

ENOUGH = 5
SMALLEST = 4
"""Batches of fewer samples meet again by chance."""
MOST_BATCHES = 80
SOME_PAIRS, MOST_ROWS = 5, 0.6
"""In so many batches one after the other, so many rows go on where those of the batch before ended; where a stream has
its end, others begin. Tokens of two kinds go on by chance in half of them."""


def batches_are_unrelated(window: Window) -> bool:
    """Whether batches are put together anew in each pass over the data; False where nothing shows it."""
    going_on = window.probes.get("continued") or {}
    if going_on.get("pairs", 0) >= SOME_PAIRS and going_on.get("share", 0.0) > MOST_ROWS:
        return False
    rows = window.batches("train")
    numbers = rows["loader"][np.isfinite(rows["loader"])]
    by_loader = {loader.id: loader.shuffled for loader in window.loaders}
    if len(numbers) and all(by_loader.get(int(number)) is True for number in np.unique(numbers)):
        return True
    return _change_company(rows)


def _change_company(rows: Table) -> bool:
    """Whether batches often share a few samples, while batches in a fixed order share all of them or none.

    Phrases of a text come again by chance, in other company; but the next time through it, whole batches do.
    """
    seen = [set(samples) for samples in rows["samples"] if samples is not None and len(samples) >= SMALLEST]
    # A sample that is in one batch twice, as a piece of silence, is not known again.
    batches = [batch for batch in seen if len(batch) >= SMALLEST][:MOST_BATCHES]
    shared = np.array([len(one & other) / min(len(one), len(other)) for one, other in combinations(batches, 2)])
    some, all_of_them = np.sum((shared > 0) & (shared < 0.5)), np.sum(shared >= 0.5)
    is_fixed = np.sum(shared > 0.95) >= 2
    return bool(some >= ENOUGH and some > 4 * all_of_them and not is_fixed)
