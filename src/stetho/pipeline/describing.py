"""A value in a few words: its make, shape and range. No code of the program runs for it."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from stetho.pipeline.arrays import Array, as_array, make_of

LONGEST_TEXT = 60
MOST_NUMBERS = 6
MOST_PARTS = 4
LARGEST_MEASURED = 1 << 24


def described(value: Any, depth: int = 0) -> str:
    """What a value is.

    >>> described(np.zeros((2, 3), "float32")), described(("cat", 3)), described(7)
    ('float32 [2, 3] 0…0', "('cat', 3)", '7')
    """
    if isinstance(value, str | bytes):
        return repr(value if len(value) <= LONGEST_TEXT else value[: LONGEST_TEXT - 1]) + (
            f"… {len(value):,} letters" if len(value) > LONGEST_TEXT else ""
        )
    if isinstance(value, bool | int | float | None):
        return repr(value) if not isinstance(value, float) else f"{value:.4g}"
    array = as_array(value) if depth or not isinstance(value, tuple) else None
    if array is not None:
        return _array(make_of(value), array)
    if isinstance(value, Mapping) and depth == 0:
        parts = [f"{key}: {described(value[key], 1)}" for key in list(value)[:MOST_PARTS]]
        return "{" + ", ".join(parts) + ("" if len(value) <= MOST_PARTS else ", …") + "}"
    if isinstance(value, tuple | list) and depth == 0:
        parts = [described(inner, 1) for inner in value[:MOST_PARTS]]
        inner = ", ".join(parts) + ("" if len(value) <= MOST_PARTS else f", … {len(value):,} in all")
        return f"[{inner}]" if isinstance(value, list) else f"({inner})"
    return type(value).__name__


def has_nan(value: Any) -> bool:
    """Whether a value is an array with an element that is no number, or holds one.

    >>> has_nan((np.array([1.0, float("nan")]), 3)), has_nan("nan")
    (True, False)
    """
    if isinstance(value, Mapping):
        return any(has_nan(value[key]) for key in value)
    if isinstance(value, tuple | list) and value and not isinstance(value[0], int | float):
        return any(map(has_nan, value[:MOST_NUMBERS]))
    array = as_array(value)
    return array is not None and array.dtype.kind == "f" and bool(np.isnan(array).any())


def _array(make: str, array: Array) -> str:
    words = [make, str(list(array.shape))] if array.ndim else [make]
    if not 0 < array.size <= LARGEST_MEASURED:
        return " ".join(words)
    if array.size <= MOST_NUMBERS and array.ndim <= 1:
        return " ".join([*words, ", ".join(f"{value:.4g}" for value in array.reshape(-1).tolist())])
    with np.errstate(invalid="ignore"):
        finite = array[np.isfinite(array)] if array.dtype.kind == "f" else array
    words += [f"{float(finite.min()):.4g}…{float(finite.max()):.4g}"] if finite.size else []
    words += [f"{array.size - finite.size:,} not finite"] if finite.size < array.size else []
    return " ".join(words)
