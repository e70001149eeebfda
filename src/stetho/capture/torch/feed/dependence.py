"""Whether targets have anything to do with inputs: a cheap statistic over the batches that are looked at closely.

For each feature, and for its distance from the middle, the share of the variance that the labels explain (or the
squared correlation with a target) is compared with what chance alone would give. One means chance; data that can be
learnt are far above it, mostly.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
from torch import Tensor

from stetho.stats.arrays import array_of

Array = npt.NDArray[np.float64]

FEATURES = 256
MOST_SAMPLES = 20_000
MOST_CLASSES = 200
MOST_NUMBERS = 16


class Dependence:
    """Sums over samples, by class; for targets that are numbers, sums of products. Each sample counts once."""

    def __init__(self) -> None:
        self._count: Array = np.zeros(0)
        self._sum: Array = np.zeros((0, 0))
        self._square: Array = np.zeros(0)
        self._product: Array = np.zeros(0)
        self._target = np.zeros(2)
        self._seen: set[int] = set()
        self._center: Array | None = None

    @property
    def _samples(self) -> int:
        return len(self._seen)

    @property
    def wants_more(self) -> bool:
        """Whether another batch would add to the picture."""
        return self._samples < MOST_SAMPLES

    def add_labels(self, inputs: Tensor, labels: npt.NDArray[np.int64], classes: int) -> None:
        """Add a batch with one class label for each sample."""
        features = self._with_distances(inputs)
        if len(features) != len(labels) or classes > MOST_CLASSES or not self._fits(features, classes):
            return
        new = self._new(features)
        features, labels = features[new], labels[new]
        np.add.at(self._count, labels, 1.0)
        np.add.at(self._sum, labels, features)
        self._square += (features**2).sum(0)

    def add_numbers(self, inputs: Tensor, target: Tensor) -> None:
        """Add a batch with a number for each sample; of several numbers the first, as they come from one place."""
        features = self._with_distances(inputs)
        if target.numel() % max(len(features), 1) or not 0 < target.numel() <= MOST_NUMBERS * len(features):
            return
        wanted = array_of(target.reshape(len(features), -1)[:, 0].double())
        if not np.isfinite(wanted).all() or not self._fits(features, 1):
            return
        new = self._new(features)
        features, wanted = features[new], wanted[new]
        self._sum[0] += features.sum(0)
        self._square += (features**2).sum(0)
        self._product += wanted @ features
        self._target += wanted.sum(), (wanted**2).sum()

    def result(self) -> dict[str, object] | None:
        """How much more than chance explains, on average and for the best feature; None with too few samples."""
        count, total, square, product = self._count, self._sum, self._square, self._product
        n = self._samples
        if n < 2:
            return None
        spread = square - total.sum(0) ** 2 / n
        alive = spread > 1e-9 * np.maximum(square, 1e-30)
        if not alive.any():
            return None
        if len(count) > 1:
            present = count > 0
            between = (total[present] ** 2 / count[present, None]).sum(0) - total.sum(0) ** 2 / n
            freedom = int(present.sum()) - 1
            explained = between[alive] / spread[alive]
        else:
            variance = self._target[1] - self._target[0] ** 2 / n
            covariance = product - self._target[0] * total[0] / n
            # Targets that are all the same, as those of a generator, are told by anything: there is one class of them.
            freedom = int(variance > 1e-12 * self._target[1])
            explained = covariance[alive] ** 2 / (spread[alive] * max(variance, 1e-30))
        if freedom < 1 or n - 1 <= freedom:
            return None
        chance = freedom / (n - 1)
        return {
            "samples": n,
            "classes": len(count) if len(count) > 1 else 0,
            "features": int(alive.sum()),
            "mean_over_chance": float(explained.mean() / chance),
            "best_over_chance": float(explained.max() / chance),
            "best_share": float(explained.max()),
        }

    def _with_distances(self, inputs: Tensor) -> Array:
        """Features, and how far each is from its middle: what lies around something differs in that alone."""
        features = feature_rows(inputs)
        if not inputs.is_floating_point() or not np.isfinite(features).all() or not len(features):
            return features
        if self._center is None or self._center.shape != features.shape[1:]:
            self._center = features.mean(0)
        return np.hstack([features, np.abs(features - self._center)])

    def _fits(self, features: Array, classes: int) -> bool:
        width = features.shape[1]
        if not self._seen:
            self._count = np.zeros(classes)
            self._sum = np.zeros((classes, width))
            self._square, self._product = np.zeros(width), np.zeros(width)
        return self._sum.shape == (classes, width) and bool(np.isfinite(features).all())

    def _new(self, features: Array) -> list[int]:
        """Rows that were not counted before: a second epoch tells nothing new, and would look like certainty."""
        found = []
        for index, row in enumerate(features):
            key = hash(row.tobytes())
            if key not in self._seen:
                self._seen.add(key)
                found.append(index)
        return found


def feature_rows(inputs: Tensor) -> Array:
    """A few numbers for each sample: elements at a regular distance, or how often tokens occur.

    >>> import torch
    >>> feature_rows(torch.tensor([[1, 1, 3]])).tolist()[0][:5]
    [0.0, 2.0, 0.0, 1.0, 0.0]
    """
    plain: Any = inputs.detach()
    rows = plain.reshape(plain.shape[0], -1)
    if plain.is_floating_point():
        return array_of(rows[:, :: -(-rows.shape[1] // FEATURES)].double())
    tokens = array_of(rows).astype(np.int64) % FEATURES
    counts = np.zeros((len(tokens), FEATURES))
    np.add.at(counts, (np.arange(len(tokens))[:, None], tokens), 1.0)
    return counts
