"""Whether samples come back as they were, or are drawn anew each time, as random augmentation does."""

import numpy as np

from stetho.checks.series import Array
from stetho.checks.table import Table
from stetho.checks.window import Window


def sample_hashes(rows: Table) -> Array:
    """All samples that were looked at."""
    found = [np.asarray(samples, np.int64) for samples in rows["samples"] if samples is not None and len(samples)]
    return np.concatenate(found) if found else np.zeros(0, np.int64)


def are_redrawn(window: Window, rows: Table, least: int = 300) -> bool:
    """Whether no sample came twice, although the data were gone through more than once."""
    seen = sample_hashes(rows)
    if len(seen) < least or len(np.unique(seen)) < 0.99 * len(seen):
        return False
    loaders = rows["loader"][np.isfinite(rows["loader"])]
    loader = next((each for each in window.loaders if len(loaders) and each.id == loaders[0]), None)
    if loader is None or loader.length is None:
        return False
    return len(seen) > 1.2 * loader.length
