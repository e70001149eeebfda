"""Arrow columns from and to plain memory.

pyarrow's own conversions import pandas when it is installed, and `take` imports pyarrow.compute; both would cost the
watched program a moment and tens of megabytes. These do not.
"""

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

Array = npt.NDArray[Any]

_DTYPES: dict[pa.DataType, type[np.generic]] = {
    pa.int16(): np.int16,
    pa.int32(): np.int32,
    pa.int64(): np.int64,
    pa.float32(): np.float32,
    pa.float64(): np.float64,
}


def dtype_of(type_: pa.DataType) -> npt.DTypeLike:
    """The numpy type of a column of numbers.

    >>> dtype_of(pa.int16())
    <class 'numpy.int16'>
    """
    return _DTYPES[type_]


def from_numpy(values: Array, type_: pa.DataType) -> pa.Array:
    """A column over the memory of `values`, which must have the type's own layout.

    >>> from_numpy(np.array([1, 2], np.int32), pa.int32()).to_pylist()
    [1, 2]
    """
    assert values.dtype == _DTYPES[type_]
    return pa.Array.from_buffers(type_, len(values), [None, pa.py_buffer(np.ascontiguousarray(values))])


def to_numpy(column: pa.Array) -> Array:
    """The numbers of a column without a copy; where the column is null the value means nothing.

    >>> to_numpy(pa.array([1.5, 2.5])).tolist()
    [1.5, 2.5]
    """
    data = column.buffers()[1]
    dtype = np.dtype(_DTYPES[column.type])
    if data is None:
        return np.zeros(len(column), dtype)
    return np.frombuffer(data, dtype, len(column), column.offset * dtype.itemsize)


def to_numpy_with_nan(column: pa.Array) -> Array:
    """The numbers of a column, where null is NaN; without a copy when nothing is null.

    >>> to_numpy_with_nan(pa.array([1, None], pa.int32())).tolist()
    [1.0, nan]
    """
    numbers = to_numpy(column)
    if not column.null_count:
        return numbers
    return np.where(column.is_valid().to_numpy(zero_copy_only=False), numbers, np.nan)


def from_values(values: Sequence[Any], type_: pa.DataType) -> pa.Array:
    """A column from Python values, where None is null.

    >>> from_values(["a", None], pa.string()).to_pylist()
    ['a', None]
    >>> from_values([[1.0], None, []], pa.list_(pa.float32())).to_pylist()
    [[1.0], None, []]
    """
    validity = _validity(values)
    if type_ in _DTYPES:
        with np.errstate(all="ignore"):
            data = np.array([0 if value is None else value for value in values], _DTYPES[type_])
        return pa.Array.from_buffers(type_, len(values), [validity, pa.py_buffer(data)])
    if pa.types.is_boolean(type_):
        bits = np.packbits(np.array(values, bool), bitorder="little")
        return pa.Array.from_buffers(type_, len(values), [validity, pa.py_buffer(bits)])
    if pa.types.is_string(type_):
        texts = [b"" if value is None else str(value).encode(errors="replace") for value in values]
        buffers = [validity, _offsets(texts), pa.py_buffer(b"".join(texts))]
        return pa.Array.from_buffers(type_, len(values), buffers)
    inner = type_.value_type
    parts = [() if value is None else value for value in values]
    with np.errstate(all="ignore"):
        # An array for each row would take as long as all the other columns together.
        child = from_numpy(np.array([*chain.from_iterable(parts)], _DTYPES[inner]), inner)
    return pa.Array.from_buffers(type_, len(values), [validity, _offsets(parts)], children=[child])


def gather(rows: pa.RecordBatch, order: npt.NDArray[np.int64]) -> pa.RecordBatch:
    """The rows at the given places, in that order.

    >>> gather(pa.record_batch({"step": pa.array([5, 6, 7], pa.int32())}), np.array([2, 0])).to_pydict()
    {'step': [7, 5]}
    """
    return pa.RecordBatch.from_arrays([_gather(column, order) for column in rows.columns], schema=rows.schema)


def _gather(column: pa.Array, order: npt.NDArray[np.int64]) -> pa.Array:
    if column.type in _DTYPES and not column.null_count:
        return from_numpy(to_numpy(column)[order], column.type)
    if pa.types.is_fixed_size_list(column.type) and not column.null_count and not column.offset:
        width = column.type.list_size
        inner = to_numpy(column.values).reshape(-1, width)[order].reshape(-1)
        return pa.FixedSizeListArray.from_arrays(from_numpy(inner, column.type.value_type), type=column.type)
    return column.take(from_numpy(order, pa.int64()))


def _validity(values: Sequence[Any]) -> pa.Buffer | None:
    valid = np.array([value is not None for value in values], bool)
    return None if valid.all() else pa.py_buffer(np.packbits(valid, bitorder="little"))


def _offsets(parts: Sequence[Any]) -> pa.Buffer:
    return pa.py_buffer(np.cumsum([0, *map(len, parts)], dtype=np.int32))
