"""Inputs that are standardised with the numbers of their own batch when the model is asked, and not in training."""

import numpy as np

from stetho.checks.evidence.inputs import stacked
from stetho.checks.run.series import Array
from stetho.checks.run.table import Table

LEAST_BATCHES = 5
LEAST_FEATURES = 3
MOST_SAMPLES = 64
"""The mean and the deviation of more samples are nearly those of all data, and nothing is lost."""
EXACT = 1e-3
ALIVE = 1e-6


def refitted(train: Table, other: Table) -> str | None:
    """In words: every evaluated batch has mean 0 and one deviation in each feature, as no random sample has."""
    small = other.where((other["size"] > 1) & (other["size"] <= MOST_SAMPLES))
    means, deviations = stacked(small, "feature_mean"), stacked(small, "feature_std")
    if means.shape != deviations.shape or len(np.unique(means.round(12), axis=0)) < 2:
        return None
    if len(means) < LEAST_BATCHES or means.shape[1] < LEAST_FEATURES:
        return None
    if not _are_exact(means, deviations) or _are_exact(stacked(train, "feature_mean"), stacked(train, "feature_std")):
        return None
    size = int(np.median(small["size"]))
    return f"each batch of {size} is standardised by itself: {len(means)} batches have mean 0 in every feature"


def _are_exact(means: Array, deviations: Array) -> bool:
    """Whether each batch has mean 0 in all features, and deviation 1 in those that vary (nearly so, in few samples)."""
    if not len(means) or means.shape != deviations.shape:
        return False
    is_alive = deviations > ALIVE
    is_one = np.abs(deviations / np.maximum(np.median(deviations, axis=1, keepdims=True), ALIVE) - 1) < 10 * EXACT
    return bool((np.abs(means) < EXACT).all() and is_alive.mean() > 0.5 and is_one[is_alive].mean() > 0.9)
