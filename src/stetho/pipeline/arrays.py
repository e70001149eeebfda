"""Values of any make as numpy arrays, and their make in one word."""

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def as_array(value: Any) -> Array | None:
    """The numbers of a value; None when it has none.

    >>> as_array([1, 2]).tolist(), as_array(True).item(), as_array("text"), as_array([[1], [2, 3]])
    ([1, 2], True, None, None)
    """
    if isinstance(value, str | bytes) or value is None:
        return None
    if "torch" in sys.modules:
        from stetho.pipeline.torch.tensors import is_tensor, tensor_array

        if is_tensor(value):
            return tensor_array(value)
    if not isinstance(value, bool | int | float | complex | list | tuple) and not _offers_array(value):
        return None
    try:
        return _plain(np.asarray(value))
    except (ValueError, TypeError, OverflowError, RuntimeError):  # ragged lists, numbers without end, odd objects
        return None


def make_of(value: Any) -> str:
    """What a value is: the type of its numbers, or its class.

    >>> make_of(np.zeros(3, "float32")), make_of([1.5]), make_of("text"), make_of(None)
    ('float32', 'list of float64', 'str', 'None')
    """
    if value is None:
        return "None"
    kind = type(value)
    if kind.__module__.partition(".")[0] == "PIL":
        return f"PIL {getattr(value, 'mode', '')}".rstrip()
    dtype = getattr(value, "dtype", None)
    if dtype is not None:
        return str(dtype).removeprefix("torch.").removeprefix("<dtype: '").removesuffix("'>")
    array = as_array(value) if isinstance(value, list | tuple) and value else None
    return f"{kind.__name__} of {array.dtype}" if array is not None else kind.__name__


def _offers_array(value: Any) -> bool:
    return hasattr(value, "__array__") or hasattr(value, "__array_interface__")


def _plain(array: Array) -> Array | None:
    """Real numbers or truth values; complex ones as pairs."""
    if array.dtype.kind == "c":
        return np.stack([array.real, array.imag], axis=-1)
    if array.dtype.kind == "V" and array.dtype.names is None and array.dtype.itemsize <= 2:
        return array.astype(np.float32)  # bfloat16 and the eight-bit formats that numpy itself does not know
    return array if array.dtype.kind in "biuf" else None
