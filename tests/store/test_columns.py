"""Columns keep every value, and cost the program no import."""

import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stetho.store.columns import from_values, gather, to_numpy, to_numpy_with_nan

INT32 = st.integers(-(2**31), 2**31 - 1)
VALUES = {
    pa.int32(): INT32,
    pa.int64(): st.integers(-(2**63), 2**63 - 1),
    pa.float64(): st.floats(allow_nan=False),
    pa.bool_(): st.booleans(),
    pa.string(): st.text(),
    pa.list_(pa.int32()): st.lists(INT32),
}


@pytest.mark.parametrize("type_", VALUES, ids=str)
@given(data=st.data())
def test_values_come_back_with_their_nulls(type_: pa.DataType, data: st.DataObject) -> None:
    values = data.draw(st.lists(st.none() | VALUES[type_], max_size=20))
    column = from_values(values, type_)
    column.validate(full=True)
    assert column.to_pylist() == values


def test_a_number_that_does_not_fit_a_float_is_infinite_and_warns_nobody() -> None:
    assert from_values([1e300], pa.float32()).to_pylist() == [np.inf]


def test_numpy_scalars_and_arrays_are_values_too() -> None:
    assert from_values([np.float32(1.5), np.int64(2)], pa.float64()).to_pylist() == [1.5, 2.0]
    assert from_values([np.arange(3), (4,)], pa.list_(pa.float32())).to_pylist() == [[0, 1, 2], [4]]


def test_reading_a_slice_makes_no_copy() -> None:
    column = pa.array(range(10), pa.int64()).slice(3, 4)
    numbers = to_numpy(column)
    assert numbers.tolist() == [3, 4, 5, 6]
    assert numbers.__array_interface__["data"][0] == column.buffers()[1].address + 3 * 8


def test_null_reads_as_nan_in_a_slice_too() -> None:
    column = pa.array([1, None, 3, None], pa.int32()).slice(1, 2)
    np.testing.assert_array_equal(to_numpy_with_nan(column), [np.nan, 3])


@given(
    st.lists(st.tuples(INT32, st.none() | st.text(), st.lists(INT32, min_size=2, max_size=2)), min_size=1), st.data()
)
def test_gathers_any_kind_of_column(rows: list[tuple[int, str | None, list[int]]], data: st.DataObject) -> None:
    numbers, texts, pairs = zip(*rows, strict=True)
    batch = pa.record_batch(
        {
            "number": pa.array(numbers, pa.int32()),
            "text": pa.array(texts, pa.string()),
            "pair": pa.array(pairs, pa.list_(pa.int32(), 2)),
        }
    )
    order = data.draw(st.lists(st.integers(0, len(rows) - 1)))
    found = gather(batch, np.array(order, np.int64))
    assert [tuple(row.values()) for row in found.to_pylist()] == [rows[place] for place in order]


def test_writing_imports_neither_pandas_nor_the_compute_functions() -> None:
    program = """
import sys, tempfile
from pathlib import Path
import numpy as np
from stetho.records import Series
from stetho.store.writer import RunWriter
writer = RunWriter.create(Path(tempfile.mkdtemp()), "train", {})
writer.define(Series(0, 0, "fc", "act", "train"))
for step in range(3):
    writer.append("steps", {"step": step, "lrs": [0.1], "tier": "full"})
    writer.append_stats(step, np.zeros((1, 13)))
    writer.append_histogram(step, 0, np.zeros(257, int))
    writer.flush()
writer.close({})
print({"pandas", "pyarrow.compute", "duckdb", "torch"} & set(sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
