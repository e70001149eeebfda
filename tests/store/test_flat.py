"""Columns for text formats."""

import pyarrow as pa

from stetho.store.flat import flat


def test_every_kind_of_column_becomes_plain() -> None:
    rows = pa.record_batch(
        {
            "step": pa.array([1, 2], pa.int32()),
            "name": pa.array(["a", "a"]).dictionary_encode(),
            "shape": pa.array([[1, 2], []]),
            "counts": pa.array([[3, 4], [5, 6]], pa.list_(pa.int32(), 2)),
            "pair": pa.array([{"a": 1}, None]),
        }
    )
    assert flat(rows).to_pydict() == {
        "step": [1, 2],
        "name": ["a", "a"],
        "shape": ["1 2", ""],
        "counts": ["3 4", "5 6"],
        "pair": ["{'a': 1}", None],
    }


def test_columns_of_the_same_name_stay_apart() -> None:
    rows = pa.RecordBatch.from_arrays([pa.array([1]), pa.array([2])], names=["a", "a"])
    assert [column.to_pylist() for column in flat(rows).columns] == [[1], [2]]
