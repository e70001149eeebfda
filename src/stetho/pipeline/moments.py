"""Numbers of a field over all samples, taken in one pass and in bounded memory."""

from collections import Counter
from math import sqrt

import numpy as np

from stetho.pipeline.arrays import Array
from stetho.pipeline.facts import Key

CHUNK = 1 << 18
"""Elements that are measured at once."""
LARGEST_FOLLOWED = 1 << 20
"""Elements of a sample up to which each position is followed by itself."""
MOST_VALUES = 10_000
MOST_KEYS = 10
LEAST_BLANK = 16
"""A sample of fewer elements is not called blank when they are equal."""


class Moments:
    """Range, mean, spread, and counts of arrays of any shape, and which samples are odd.

    >>> moments = Moments()
    >>> for key in range(3): moments.add(key, np.array([key, 5.0]))
    >>> moments.flush()
    >>> moments.low, moments.high, moments.mean, moments.constant
    (0.0, 5.0, 3.0, 1)
    """

    def __init__(self) -> None:
        self.low = self.high = float("nan")
        self.elements = self.finite = self.nan = self.inf = self.zeros = self.blank = 0
        self.mean = self._squares = 0.0
        self.nonfinite_at: list[Key] = []
        self.blank_at: list[Key] = []
        self.counts: Counter[int | float | bool] | None = Counter()
        self.shape: tuple[int, ...] | None = None
        self._ranges: tuple[Array, Array] | None = None
        self._is_one_shape = True
        self._waiting: list[tuple[Key, Array]] = []
        self._arrays = 0

    @property
    def std(self) -> float:
        """The deviation of all finite elements."""
        return sqrt(self._squares / self.finite) if self.finite else float("nan")

    @property
    def constant(self) -> int | None:
        """Positions with one value in all samples; None where samples differ in shape or are too few or too large."""
        if self._ranges is None or not self._is_one_shape or self._arrays < 2:
            return None
        low, high = self._ranges
        return int((low == high).sum())

    def add(self, key: Key, array: Array) -> None:
        """Take one sample in."""
        if self._waiting and (self._waiting[0][1].shape, self._waiting[0][1].dtype) != (array.shape, array.dtype):
            self.flush()
        # A copy: a loader may fill the same memory again.
        self._waiting.append((key, np.array(array)))
        if array.size * len(self._waiting) >= CHUNK:
            self.flush()

    def flush(self) -> None:
        """Measure what waits."""
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        keys, stacked = [key for key, _ in waiting], np.stack([array for _, array in waiting])
        self._arrays += len(keys)
        self._follow_positions(stacked)
        rows = stacked.reshape(len(keys), -1)
        self.elements += rows.size
        if rows.size == 0:
            return
        self._note_odd(keys, rows)
        self._count_values(rows)
        for piece in np.array_split(rows.reshape(-1), -(-rows.size // CHUNK)):
            self._merge(piece)

    def _merge(self, piece: Array) -> None:
        numbers = piece.astype(np.float64)
        self.zeros += int((numbers == 0).sum())
        if piece.dtype.kind == "f" and not np.isfinite(numbers).all():
            self.nan += int(np.isnan(numbers).sum())
            self.inf += int(np.isinf(numbers).sum())
            numbers = numbers[np.isfinite(numbers)]
        if not numbers.size:
            return
        self.low, self.high = float(np.fmin(self.low, numbers.min())), float(np.fmax(self.high, numbers.max()))
        mean, total = float(numbers.mean()), self.finite + numbers.size
        apart = mean - self.mean
        self._squares += float(np.square(numbers - mean).sum()) + apart**2 * self.finite * numbers.size / total
        self.mean += apart * numbers.size / total
        self.finite = total

    def _note_odd(self, keys: list[Key], rows: Array) -> None:
        is_odd = ~np.isfinite(rows).all(axis=1) if rows.dtype.kind == "f" else np.zeros(len(rows), bool)
        self.nonfinite_at += [keys[place] for place in np.flatnonzero(is_odd)][: MOST_KEYS - len(self.nonfinite_at)]
        if rows.shape[1] >= LEAST_BLANK:
            is_blank = (rows == rows[:, :1]).all(axis=1)
            self.blank += int(is_blank.sum())
            self.blank_at += [keys[place] for place in np.flatnonzero(is_blank)][: MOST_KEYS - len(self.blank_at)]

    def _count_values(self, rows: Array) -> None:
        """Count each value, until there are too many; fractions only where a sample is a single number."""
        if self.counts is None or (rows.dtype.kind == "f" and rows.shape[1] > 1):
            self.counts = None
            return
        if rows.dtype.kind in "bu" and rows.dtype.itemsize == 1:
            found = np.bincount(rows.reshape(-1), minlength=1)
            values = np.flatnonzero(found)
            occurring = found[values]
            values = values.astype(rows.dtype)
        else:
            values, occurring = np.unique(rows, return_counts=True)
        self.counts.update(dict(zip(values.tolist(), occurring.tolist(), strict=True)))
        if len(self.counts) > MOST_VALUES:
            self.counts = None

    def _follow_positions(self, stacked: Array) -> None:
        shape = stacked.shape[1:]
        if self.shape is None:
            self.shape = shape
        if shape != self.shape or not 1 < stacked[0].size <= LARGEST_FOLLOWED:
            self._is_one_shape = False
            return
        low, high = stacked.min(axis=0), stacked.max(axis=0)
        if self._ranges is not None:
            low, high = np.minimum(low, self._ranges[0]), np.maximum(high, self._ranges[1])
        self._ranges = low, high
