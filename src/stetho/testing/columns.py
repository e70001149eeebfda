"""Columns of a table from what a test gives: one value for all rows, or one for each."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from stetho.checks.run.series import Array
from stetho.checks.run.table import Table


def column(values: Any, count: int) -> Array:
    """Numbers for `count` rows; None is NaN.

    >>> column(2, 3).tolist(), column([1, None], 2).tolist()
    ([2.0, 2.0, 2.0], [1.0, nan])
    """
    if isinstance(values, Sequence | np.ndarray) and not isinstance(values, str):
        if len(values) != count:
            raise ValueError(f"{len(values)} values for {count} rows; give one for each, or a single one for all")
        return np.array([np.nan if value is None else value for value in values], np.float64)
    return np.full(count, np.nan if values is None else values, np.float64)


def table_of(schema: pa.Schema, count: int, given: Mapping[str, Any]) -> Table:
    """A table with the columns of a schema; those that are not given were not recorded.

    >>> table_of(pa.schema([("step", pa.int32()), ("loss", pa.float64())]), 2, {"step": [1, 2]})["loss"].tolist()
    [nan, nan]
    """
    unknown = [name for name in given if name not in schema.names]
    if unknown:
        raise ValueError(f"no column {unknown[0]!r}; columns: {', '.join(schema.names)}")

    def make(field: pa.Field) -> Callable[[], Array]:
        values = given.get(field.name)
        if field.name == "step":
            return lambda: np.asarray(values if values is not None else np.arange(1, count + 1), np.int64)
        if pa.types.is_string(field.type) or pa.types.is_list(field.type):
            return lambda: _objects(values, count, of_lists=pa.types.is_list(field.type))
        return lambda: column(values, count)

    return Table(count, {field.name: make(field) for field in schema})


def _objects(values: Any, count: int, *, of_lists: bool) -> Array:
    array = np.empty(count, object)
    is_single = values is None or isinstance(values, str) or (of_lists and (not len(values) or np.ndim(values[0]) == 0))
    for place in range(count):
        value = values if is_single else values[place]
        array[place] = np.array(value) if of_lists and value is not None else value
    return array
