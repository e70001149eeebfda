"""Whether samples come back in other company: what a batch holds then says nothing of the next one."""

from itertools import combinations

import numpy as np

from stetho.checks.run.table import Table
from stetho.checks.window import Window

ENOUGH = 5
SMALLEST = 4
"""Batches of fewer samples meet again by chance."""
MOST_BATCHES = 80
NEAR = 3
"""So few steps apart, a pass over shuffled data does not come to a sample again."""


def batches_are_unrelated(window: Window) -> bool:
    """Whether batches are put together anew in each pass over the data; False where nothing shows it."""
    rows = window.batches("train")
    numbers = rows["loader"][np.isfinite(rows["loader"])]
    by_loader = {loader.id: loader.shuffled for loader in window.loaders}
    if len(numbers) and all(by_loader.get(int(number)) is True for number in np.unique(numbers)):
        return True
    return _change_company(rows)


def _change_company(rows: Table) -> bool:
    """Whether batches often share a few samples, while batches in a fixed order share all of them or none."""
    found = [(step, set(samples)) for step, samples in zip(rows["step"], rows["samples"], strict=True)
             if samples is not None and len(samples) >= SMALLEST]  # fmt: skip
    # A sample that is in one batch twice, as a piece of silence, is not known again.
    batches = [(step, batch) for step, batch in found if len(batch) >= SMALLEST][:MOST_BATCHES]
    pairs = list(combinations(batches, 2))
    shared = np.array([len(one & other) / min(len(one), len(other)) for (_, one), (_, other) in pairs])
    some, all_of_them = np.sum((shared > 0) & (shared < 0.5)), np.sum(shared >= 0.5)
    if some < ENOUGH or some <= 4 * all_of_them or np.sum(shared > 0.95) >= 2:
        return False
    near = np.array([abs(late - early) <= NEAR for (early, _), (late, _) in pairs])
    return not (_are_tokens(rows) and np.any(near) and np.mean(shared[near] > 0) > 0.5 * np.mean(shared > 0))


def _are_tokens(rows: Table) -> bool:
    """Whether inputs are whole numbers: a phrase then comes again by chance, also right in the next batch."""
    return all(not str(dtype).startswith(("float", "bfloat", "double")) for dtype in rows["dtype"])
