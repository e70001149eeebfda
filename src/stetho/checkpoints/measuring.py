"""A few numbers of a tensor, in one pass over its blocks, with numpy alone."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from math import inf, nan, sqrt
from typing import Any, cast

import numpy as np

from stetho.checkpoints.contents import Checkpoint, LazyTensor
from stetho.checkpoints.element_types import Array
from stetho.checkpoints.opening import Source, opened
from stetho.stats.summary import Summary
from stetho.store.documents import plain

SAMPLE = 4096
"""Elements of a tensor that go into its histogram, taken at a regular distance."""
BINS = 12

Progress = Callable[[int], None]
"""Is told how many bytes were read since it was told last."""

_SMALLEST_NORMAL = {
    "float16": 2.0**-14,
    "bfloat16": 2.0**-126,
    "float32": 2.0**-126,
    "float64": 2.0**-1022,
    "float8_e4m3fn": 2.0**-6,
    "float8_e5m2": 2.0**-14,
    "float8_e4m3fnuz": 2.0**-7,
    "float8_e5m2fnuz": 2.0**-15,
}


@dataclass(frozen=True, slots=True)
class TensorStats:
    """What was measured on one tensor. Extremes, mean and deviation are of the finite elements."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    nbytes: int
    elements: int
    nans: int
    infs: int
    zeros: int
    denormals: int
    low: float
    high: float
    mean: float
    std: float
    rms: float
    histogram: tuple[int, ...]
    """Counts of a sample, from the lowest to the highest element, in bins of the same width."""

    @property
    def absmax(self) -> float:
        """The largest magnitude."""
        return max(abs(self.low), abs(self.high))

    @property
    def is_constant(self) -> bool:
        """Whether all elements are one finite number."""
        return self.elements > 0 and self.low == self.high and self.nans + self.infs == 0


@dataclass(frozen=True, slots=True)
class Measured:
    """All tensors of a checkpoint with their numbers; `stetho.measure_checkpoint` gives it."""

    checkpoint: Checkpoint
    stats: Mapping[str, TensorStats]

    def table(self) -> list[dict[str, Any]]:
        """A row for each tensor, ready for `pandas.DataFrame`."""
        return [asdict(one) for one in self.stats.values()]

    def to_json(self) -> dict[str, Any]:
        """Everything as plain data; numbers that JSON has no word for become text."""
        document = {
            "path": str(self.checkpoint.path),
            "format": self.checkpoint.format,
            "elements": self.checkpoint.elements,
            "bytes": self.checkpoint.nbytes,
            "tensors": self.table(),
            "settings": dict(self.checkpoint.settings),
            "notes": list(self.checkpoint.notes),
        }
        return cast(dict[str, Any], plain(document))


def measure_checkpoint(source: Source, progress: Progress | None = None) -> Measured:
    """The tensors of a checkpoint with their numbers: extremes, mean, deviation, zeros, NaN, a histogram.

    >>> np.savez("weights.npz", w=np.array([1.0, 3.0], np.float32))
    >>> measure_checkpoint("weights.npz").stats["w"].mean
    2.0
    """
    checkpoint = opened(source)
    return Measured(checkpoint, {name: measure(tensor, progress) for name, tensor in checkpoint.items()})


def measure(tensor: LazyTensor, progress: Progress | None = None) -> TensorStats:
    """Measure one tensor.

    >>> from stetho.checkpoints.element_types import element_type
    >>> from stetho.checkpoints.stored import HeldBytes
    >>> held = HeldBytes(np.array([1.0, 0.0, np.nan, 3.0], np.float32).tobytes())
    >>> stats = measure(LazyTensor("w", (4,), element_type("float32"), held))
    >>> stats.nans, stats.zeros, stats.low, stats.high, round(stats.mean, 3)
    (1, 1, 0.0, 3.0, 1.333)
    """
    whole = Summary(0, 0, 0, 0, inf, -inf, 0.0, 0.0)
    denormals, seen, samples = 0, 0, []
    distance = max(-(-tensor.elements // SAMPLE), 1)
    smallest = _SMALLEST_NORMAL.get(tensor.dtype, 0.0)
    # Numbers that overflow, or are no numbers, are what is looked for.
    with np.errstate(all="ignore"):
        for block in tensor.blocks():
            values = numbers_of(tensor, block)
            summary, small = _summary(values, smallest)
            whole, denormals = whole.merged(summary), denormals + small
            samples.append(values[-seen % distance :: distance].copy())
            seen += values.size
            if progress is not None:
                progress(block.nbytes)
        histogram = _histogram(np.concatenate(samples)) if samples else ()
    is_empty = whole.finite == 0
    return TensorStats(
        name=tensor.name,
        shape=tensor.shape,
        dtype=tensor.dtype,
        nbytes=tensor.nbytes,
        elements=whole.elements,
        nans=whole.nans,
        infs=whole.infs,
        zeros=whole.zeros,
        denormals=denormals,
        low=nan if is_empty else whole.low,
        high=nan if is_empty else whole.high,
        mean=nan if is_empty else whole.mean,
        std=nan if is_empty else sqrt(max(whole.squares, 0.0) / whole.finite),
        rms=whole.rms,
        histogram=histogram,
    )


def numbers_of(tensor: LazyTensor, block: Array) -> Array:
    """A block as floats that can be calculated with: float32 and float64 as they are, complex ones as magnitudes."""
    values = tensor.element.decoded(block)
    if values.dtype.kind == "c":
        return np.abs(values)
    if values.dtype in (np.float32, np.float64):
        return values
    return values.astype(np.float32 if values.dtype.itemsize <= 2 else np.float64)


def _summary(values: Array, smallest: float) -> tuple[Summary, int]:
    low, high = float(values.min()), float(values.max())
    if not np.isfinite(low) or not np.isfinite(high):
        finite = values[np.isfinite(values)]
        nans = int(np.count_nonzero(np.isnan(values)))
        infs = values.size - finite.size - nans
        inner, small = _summary(finite, smallest) if finite.size else (Summary(0, 0, 0, 0, inf, -inf, 0.0, 0.0), 0)
        return inner._replace(elements=values.size, nans=nans, infs=infs), small
    zeros = small = 0
    if low <= 0.0 <= high or low < smallest:
        magnitudes = np.abs(values)
        zeros = values.size - int(np.count_nonzero(magnitudes))
        small = int(np.count_nonzero(magnitudes < smallest)) - zeros if smallest else 0
    mean = float(values.mean(dtype=values.dtype))
    apart = values - values.dtype.type(mean)
    squares = float(np.dot(apart, apart))
    if not np.isfinite(mean) or not np.isfinite(squares):
        mean = float(values.mean(dtype=np.float64))
        squares = float(np.square(values.astype(np.float64) - mean).sum())
    return Summary(values.size, 0, 0, zeros, low, high, mean, squares), max(small, 0)


def _histogram(sample: Array) -> tuple[int, ...]:
    finite = sample[np.isfinite(sample)].astype(np.float64)
    if finite.size == 0 or finite.min() == finite.max():
        return (int(finite.size),) if finite.size else ()
    scaled = (finite - finite.min()) / (finite.max() - finite.min())
    if not np.isfinite(scaled).all():  # so far apart that their difference overflows
        return ()
    return tuple(np.bincount((scaled * BINS).astype(int).clip(0, BINS - 1), minlength=BINS).tolist())
