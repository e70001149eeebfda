"""How far apart two tensors are: largest errors, direction, steps of the number format, the worst place."""

from dataclasses import dataclass
from math import inf, nan
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

ULP_TYPES = {2: np.int16, 4: np.int32, 8: np.int64}


@dataclass(frozen=True, slots=True)
class TensorError:
    """The errors between two tensors; those of values that are not finite on one side alone are infinite.

    >>> error_between(np.float32([1, 2, 4]), np.float32([1, 2, 5])).max_abs
    1.0
    """

    count: int
    differing: int
    max_abs: float
    max_rel: float
    """Largest difference relative to the larger of the two values at its own place."""
    relative: float
    """Length of the difference over the length of the larger tensor: one number for the whole."""
    cosine: float
    ulps: int | None
    """Largest number of representable values in between; None for numbers that are no floats."""
    index: tuple[int, ...]
    one: float
    other: float

    @property
    def is_equal(self) -> bool:
        """Whether no element differs."""
        return self.differing == 0

    @property
    def worst(self) -> str:
        """The element that is furthest apart, with both its values; a single number has no place.

        >>> error_between(np.float32([1, 2]), np.float32([1, 3])).worst, error_between(np.ones(()), np.zeros(())).worst
        ('at [1]: 2 and 3', '1 and 0')
        """
        place = f"at {list(self.index)}: " if self.index else ""
        return f"{place}{self.one:.9g} and {self.other:.9g}"


def error_between(one: Array, other: Array) -> TensorError | None:
    """The errors between two tensors of one shape; None where the shapes differ.

    >>> error_between(np.zeros(2), np.zeros(3)) is None
    True
    >>> error_between(np.float32([1.0, 0.0]), np.float32([1.0000001, 0.0])).ulps
    1
    """
    if one.shape != other.shape:
        return None
    if not one.size:
        return TensorError(0, 0, 0.0, 0.0, 0.0, nan, None, (), nan, nan)
    shape = one.shape
    one, other = np.atleast_1d(one), np.atleast_1d(other)
    ulps = _ulps(one, other)
    a, b = _wide(one), _wide(other)
    with np.errstate(all="ignore"):
        apart = np.abs(a - b)
        same = (a == b) | (np.isnan(a) & np.isnan(b))
        apart[same] = 0.0
        apart[np.isnan(apart)] = inf
        size = np.maximum(np.abs(a), np.abs(b))
        relative = np.where(same, 0.0, apart / size)
        relative[np.isnan(relative)] = inf
        index = np.unravel_index(int(apart.argmax()), one.shape)
        # What a mask made infinite on both sides has no length, and would hide the rest.
        finite = np.isfinite(a) & np.isfinite(b)
        lengths = np.linalg.norm(a[finite]), np.linalg.norm(b[finite])
        cosine = float(np.vdot(a[finite], b[finite]).real / (lengths[0] * lengths[1]))
        whole = float(np.linalg.norm(apart) / max(lengths))
    return TensorError(
        count=int(a.size),
        differing=int((~same).sum()),
        max_abs=float(apart.max()),
        max_rel=float(relative.max()),
        relative=0.0 if same.all() else whole if whole == whole else inf,
        cosine=1.0 if same.all() else cosine,
        ulps=ulps,
        index=tuple(map(int, index))[: len(shape)],
        one=float(np.abs(a[index]) if np.iscomplexobj(a) else a[index]),
        other=float(np.abs(b[index]) if np.iscomplexobj(b) else b[index]),
    )


def _wide(array: Array) -> Array:
    return array.astype(np.complex128 if np.iscomplexobj(array) else np.float64)


def _ulps(one: Array, other: Array) -> int | None:
    """How many representable values lie between, at most; of values that are finite on both sides."""
    integer = ULP_TYPES.get(one.dtype.itemsize)
    if one.dtype != other.dtype or one.dtype.kind != "f" or integer is None:
        return None
    finite = np.isfinite(one) & np.isfinite(other)
    if not finite.any():
        return None
    places = [_ordered(np.ascontiguousarray(each[finite]), integer) for each in (one, other)]
    # Unsigned, the distance of two signed numbers fits whatever their signs.
    low, high = np.minimum(*places).astype(np.uint64), np.maximum(*places).astype(np.uint64)
    return int((high - low).max())


def _ordered(values: Array, integer: Any) -> Array:
    """Floats as integers that are one apart where the floats are neighbours."""
    bits = values.view(integer).astype(np.int64)
    lowest = np.int64(np.iinfo(integer).min)
    return np.asarray(np.where(bits < 0, lowest - bits, bits))
