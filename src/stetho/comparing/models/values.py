"""Whether two tensors hold the same numbers: at the same places, in another shape, or in another order."""

from collections.abc import Iterator
from itertools import permutations
from math import inf

import numpy as np

from stetho.comparing.models.trace import Array

EXACT, RESHAPED, REORDERED = "same", "reshaped", "reordered"
BEYOND = 1e30
"""Larger numbers stand for infinity: masks are filled with the largest number of a type."""
OUTLIER = 1e4
HIDDEN = -1e8
"""Lower numbers stand for infinity as well, where nothing else comes near: a mask may be filled with -1e9."""
MOST_AXES = 4


def is_close(one: Array, other: Array, tolerance: float, floor: float = 0.0) -> bool:
    """Whether two arrays of one shape are equal but for rounding, element by element; differences up to `floor` are.

    >>> is_close(np.array([1.0, -np.inf]), np.array([1.0 + 1e-12, -1.7e308]), 1e-9)
    True
    """
    if one.dtype.kind in "biu" and other.dtype.kind in "biu":
        return bool(np.array_equal(one, other))
    a, b = _limited(one), _limited(other)
    with np.errstate(all="ignore"):
        both = np.isfinite(a) & np.isfinite(b)
        if not np.array_equal(a[~both], b[~both], equal_nan=True):
            return False
        a, b = a[both], b[both]
        size = np.maximum(np.abs(a), np.abs(b))
        return bool(np.all(np.abs(a - b) <= tolerance * (size + _scale(size)) + floor))


def likeness(one: Array, other: Array, tolerance: float) -> str | None:
    """How two tensors are the same; None if they are not.

    >>> x = np.arange(6.0).reshape(2, 3)
    >>> [likeness(x, y, 1e-9) for y in (x + 0, x.reshape(3, 2), x.T, x + 1)]
    ['same', 'reshaped', 'reordered', None]
    """
    if one.size != other.size or (one.dtype.kind in "fc") != (other.dtype.kind in "fc"):
        return None
    if is_close(one.reshape(-1), other.reshape(-1), tolerance):
        return EXACT if _squeezed(one) == _squeezed(other) else RESHAPED
    if np.iscomplexobj(one) or np.iscomplexobj(other):
        return None
    return REORDERED if is_close(np.sort(_limited(one), None), np.sort(_limited(other), None), tolerance) else None


def fingerprint(value: Array) -> Array:
    """A few numbers that do not depend on the order of the elements: what is not near in them is not the same."""
    flat = _limited(value).reshape(-1)
    finite = flat[np.isfinite(flat)]
    if not finite.size:
        return np.array([0.0, 0.0, 0.0, float(flat.size)])
    size = np.abs(finite)
    return np.array([finite.real.mean(), size.mean(), np.sqrt((size**2).mean()), float(flat.size - finite.size)])


def is_near(one: Array, other: Array, tolerance: float) -> bool:
    """Whether two fingerprints can belong to the same values."""
    return bool(one[3] == other[3] and np.all(np.abs(one[:3] - other[:3]) <= 4 * tolerance * (one[2] + other[2])))


def cosine(one: Array, other: Array) -> float:
    """The cosine between two arrays of one size, over the elements that are finite in both."""
    a, b = _limited(one).reshape(-1), _limited(other).reshape(-1)
    both = np.isfinite(a) & np.isfinite(b)
    a, b = a[both], b[both]
    lengths = float(np.linalg.norm(a) * np.linalg.norm(b))
    return float(np.vdot(a, b).real) / lengths if lengths else 0.0


def is_masked(value: Array) -> Array:
    """Which elements stand for nothing: infinities, the largest numbers of a type, what is no number.

    >>> is_masked(np.array([1.0, -np.inf, -1.7e308, np.nan])).tolist()
    [False, True, True, True]
    """
    with np.errstate(all="ignore"):
        return ~(np.abs(value) <= BEYOND)


def laid_out_like(one: Array, other: Array) -> Array | None:
    """The second tensor with its axes turned and joined so that it comes closest to the first; None: other sizes.

    >>> x = np.arange(6.0).reshape(2, 3)
    >>> laid_out_like(x, x.T).tolist() == x.tolist()
    True
    """
    if one.size != other.size:
        return None
    best, found = -inf, other.reshape(one.shape)
    if _squeezed(one) == _squeezed(other):
        return found
    for turned in _turned(other):
        near = cosine(one, turned)
        if near > best + 1e-9:
            best, found = near, turned.reshape(one.shape)
    return found


def _turned(value: Array) -> Iterator[Array]:
    plain = value.squeeze()
    yield plain
    if 2 <= plain.ndim <= MOST_AXES:
        for axes in permutations(range(plain.ndim)):
            yield plain.transpose(axes)


def _limited(value: Array) -> Array:
    wide = value if np.iscomplexobj(value) else value.astype(np.float64)
    if np.iscomplexobj(wide):
        return wide
    with np.errstate(all="ignore"):
        wide[wide > BEYOND] = inf
        wide[wide < -BEYOND] = -inf
        hidden = wide <= HIDDEN
        if hidden.any() and np.abs(wide[~hidden]).max(initial=0.0) < OUTLIER:
            wide[hidden] = -inf
    return wide


def _scale(size: Array) -> float:
    """The usual size of an element, whatever a mask put beside it."""
    used = size[size > 0]
    if not used.size:
        return 0.0
    return float(used[used <= OUTLIER * np.median(used)].mean())


def _squeezed(value: Array) -> tuple[int, ...]:
    return tuple(size for size in value.shape if size != 1)
