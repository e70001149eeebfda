"""Whether samples come back as they were, or are drawn anew each time, as random augmentation does."""

import numpy as np

from stetho.checks.run.facts import Loader
from stetho.checks.run.series import Array
from stetho.checks.run.table import Table
from stetho.checks.window import Window

ENOUGH = 20
"""So many samples must have been expected twice before their absence tells anything."""
FEW = 0.75
"""The share of the expected repetitions below which samples were changed in between; a random flip leaves half."""


def sample_hashes(rows: Table) -> Array:
    """All samples that were looked at."""
    found = _looked_at(rows)
    return np.concatenate(found) if found else np.zeros(0, np.int64)


def are_redrawn(window: Window, rows: Table) -> bool:
    """Whether samples come back changed, although the data of a loader were gone through more than once."""
    loader = _loader(window, rows)
    if loader is None or not loader.length:
        return False
    return _repeat_less_than(window, rows, loader.length, in_order=loader.shuffled is False)


def never_come_again(window: Window, rows: Table) -> bool:
    """Whether samples do not come back, where no loader tells how many there are: new ones, or changed at random."""
    return _loader(window, rows) is None and _repeat_less_than(window, rows, int(_trained(window)[-1:].sum() / 2))


def are_redrawn_or_new(window: Window) -> bool:
    """Whether the training samples of the program do not come back as they were."""
    rows = window.batches("train")
    return are_redrawn(window, rows) or never_come_again(window, rows)


def _looked_at(rows: Table) -> list[Array]:
    return [np.asarray(samples, np.int64) for samples in rows["samples"] if samples is not None and len(samples)]


def _loader(window: Window, rows: Table) -> Loader | None:
    numbers = rows["loader"][np.isfinite(rows["loader"])]
    return next((each for each in window.loaders if len(numbers) and each.id == numbers[0]), None)


def _trained(window: Window) -> Array:
    """How many samples were trained on up to each step."""
    return np.nancumsum(window.steps["batch_size"])


def _repeat_less_than(window: Window, rows: Table, length: int, *, in_order: bool = False) -> bool:
    """Whether samples come twice clearly less often than `length` of them would in so many passes."""
    trained = _trained(window)
    kept = rows.where(np.array([samples is not None and len(samples) > 0 for samples in rows["samples"]], bool))
    if length < 1 or not len(trained) or not kept.count:
        return False
    looked = _looked_at(kept)
    before = np.concatenate([[0.0], trained])[np.clip(kept["step"].astype(int) - 1, 0, len(trained))]
    values, counts = np.unique(np.concatenate(looked), return_counts=True)
    # What is in one batch twice, as an image that was wiped out, is no sign of one sample that came again.
    twice = [v[c > 1] for v, c in (np.unique(samples, return_counts=True) for samples in looked)]
    alone = ~np.isin(values, np.concatenate(twice))
    share = counts[alone].sum() / counts.sum()
    repeated = float((counts[alone] * (counts[alone] - 1) / 2).sum())
    sizes = np.array([len(samples) for samples in looked]) * share
    expected = _in_order(before, sizes, length) if in_order else _at_random(before // length, sizes, length)
    return expected >= ENOUGH and repeated < min(FEW * expected, expected - 3 * np.sqrt(expected))


def _at_random(epochs: Array, sizes: Array, length: int) -> float:
    """Pairs of one sample in two passes, when each pass has its own order."""
    in_pass = np.array([sizes[epochs == epoch].sum() for epoch in np.unique(epochs)])
    return float((sizes.sum() ** 2 - (in_pass**2).sum()) / 2 / length)


def _in_order(before: Array, sizes: Array, length: int) -> float:
    """Pairs of one sample in two passes, when each batch comes at its own place in the pass."""
    places = before % length
    pairs = [(np.sum(places == place), sizes[places == place].mean()) for place in np.unique(places)]
    return float(sum(count * (count - 1) / 2 * size for count, size in pairs))
