"""How far two tensors are apart: bits first, numbers where the bits differ. One pass, block by block."""

from dataclasses import dataclass
from math import inf, nan, sqrt

import numpy as np

from stetho.checkpoints.contents import LazyTensor
from stetho.checkpoints.element_types import Array
from stetho.checkpoints.measuring import Progress, numbers_of

GLANCE = 64


@dataclass(frozen=True, slots=True)
class Change:
    """By how much a tensor changed."""

    elements: int
    changed: int
    """How many elements differ; two NaN are the same."""
    largest: float
    """The largest difference; infinite where a number became NaN or infinity, or the other way round."""
    worst: int | None
    """Where that is, counted in the order of the shape."""
    before: float
    after: float
    """Both values there."""
    rms: float
    """Root mean square of the finite differences."""
    relative: float
    """The same over the root mean square of the first tensor; infinite where `largest` is, or where all of it was 0."""


class Comparison:
    """Takes pairs of blocks and adds them up to a change."""

    def __init__(self) -> None:
        self.elements = self.changed = 0
        self.squares = self.squares_before = 0.0
        self.largest = 0.0
        self.worst: int | None = None
        self.before = self.after = nan

    def add_same(self, size: int) -> None:
        """Two blocks of the same bits."""
        self.elements += size

    def add_size(self, before: Array) -> None:
        """What a change is compared with, of a block that stayed the same."""
        finite = before[np.isfinite(before)].astype(np.float64)
        self.squares_before += float(np.dot(finite, finite))

    def add(self, before: Array, after: Array, differ: int | None = None) -> None:
        """Two blocks of numbers; `differ` tells how many differ where floats cannot, as for large integers."""
        apart = after - before
        count = int(np.count_nonzero(before != after))
        square, own = float(np.dot(apart, apart)), float(np.dot(before, before))
        if np.isfinite(square) and np.isfinite(own):
            high, low = int(apart.argmax()), int(apart.argmin())
            place = high if apart[high] >= -apart[low] else low
            self._note(abs(float(apart[place])), place, before, after)
        else:
            count, square, own = self._add_with_care(before, after)
        self.changed += count if differ is None else differ
        self.squares += square
        self.squares_before += own
        self.elements += before.size

    def change(self) -> Change:
        """The sum of all blocks."""
        rms = sqrt(self.squares / self.elements) if self.elements else 0.0
        size = sqrt(self.squares_before / self.elements) if self.elements else 0.0
        # Not the rms alone: squares of the smallest numbers vanish, and what became NaN is not among the finite.
        is_beyond = self.largest == inf or (self.changed > 0 and not size)
        relative = inf if is_beyond else rms / size if size else 0.0
        return Change(self.elements, self.changed, self.largest, self.worst, self.before, self.after, rms, relative)

    def _add_with_care(self, before: Array, after: Array) -> tuple[int, float, float]:
        """Numbers that are not finite, or so large that their squares are not."""
        before, after = before.astype(np.float64), after.astype(np.float64)
        same = (before == after) | (np.isnan(before) & np.isnan(after))
        apart = np.where(same, 0.0, np.abs(after - before))
        apart[np.isnan(apart)] = inf
        place = int(apart.argmax())
        self._note(float(apart[place]), place, before, after)
        finite = apart[np.isfinite(apart)]
        own = before[np.isfinite(before)]
        return int(np.count_nonzero(~same)), float(np.square(finite).sum()), float(np.square(own).sum())

    def _note(self, largest: float, place: int, before: Array, after: Array) -> None:
        if largest > self.largest:
            self.largest, self.worst = largest, self.elements + place
            self.before, self.after = float(before[place]), float(after[place])


def difference(before: LazyTensor, after: LazyTensor, progress: Progress | None = None) -> Change:
    """Compare two tensors of the same shape; their types may differ.

    >>> from stetho.checkpoints.element_types import element_type
    >>> from stetho.checkpoints.stored import HeldBytes
    >>> def tensor(*values: float) -> LazyTensor:
    ...     held = HeldBytes(np.array(values, np.float32).tobytes())
    ...     return LazyTensor("w", (len(values),), element_type("float32"), held)
    >>> change = difference(tensor(1.0, 2.0, 3.0), tensor(1.0, 2.5, 3.0))
    >>> change.changed, change.largest, change.worst, change.before, change.after
    (1, 0.5, 1, 2.0, 2.5)
    """
    comparison = Comparison()
    is_same_type = before.element == after.element
    same_blocks: set[int] = set()
    with np.errstate(all="ignore"):
        for number, (old, new) in enumerate(zip(before.blocks(), after.blocks(), strict=True)):
            if is_same_type and _same_bits(old, new):
                comparison.add_same(old.size)
                same_blocks.add(number)
            else:
                is_whole = is_same_type and old.dtype.kind in "iu" and not before.element.is_float
                differ = int(np.count_nonzero(old != new)) if is_whole else None
                comparison.add(*_alike(numbers_of(before, old), numbers_of(after, new)), differ)
            if progress is not None:
                progress(old.nbytes + new.nbytes)
        if comparison.changed and same_blocks:
            # The size of what stayed is only wanted now that something changed: most tensors are wholly the same.
            for number, old in enumerate(before.blocks()):
                if number in same_blocks:
                    comparison.add_size(numbers_of(before, old))
    return comparison.change()


def _same_bits(old: Array, new: Array) -> bool:
    a, b = old.view(np.uint8), new.view(np.uint8)
    if not np.array_equal(a[:GLANCE], b[:GLANCE]):  # what was trained further differs from the first element on
        return False
    words = a.size // 8 * 8
    return np.array_equal(a[:words].view(np.uint64), b[:words].view(np.uint64)) and np.array_equal(a[words:], b[words:])


def _alike(before: Array, after: Array) -> tuple[Array, Array]:
    kind = np.result_type(before.dtype, after.dtype)
    return before.astype(kind, copy=False), after.astype(kind, copy=False)
