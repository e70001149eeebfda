"""Tails are sealed in time, and small segments do not pile up."""

import os
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from stetho.store.columns import from_numpy
from stetho.store.segments import Span, list_spans
from stetho.store.table_writer import TableWriter

SCHEMA = pa.schema([("step", pa.int32()), ("series", pa.int32())])


def batch(step: int, rows: int) -> pa.RecordBatch:
    columns = [np.full(rows, step, np.int32), np.arange(rows, dtype=np.int32)]
    return pa.RecordBatch.from_arrays([from_numpy(column, pa.int32()) for column in columns], schema=SCHEMA)


def write(writer: TableWriter, *, batches: int, rows: int) -> None:
    for step in range(batches):
        writer.append(batch(step, rows))
        writer.seal_if_due()


def test_a_tail_is_sealed_when_it_has_enough_rows(tmp_path: Path) -> None:
    writer = TableWriter(tmp_path, SCHEMA, seal_rows=10)
    write(writer, batches=7, rows=4)
    writer.close()
    assert list_spans(tmp_path) == [Span(0, 12), Span(12, 24)]
    assert sorted(os.listdir(tmp_path)) == [Span(0, 12).file, Span(12, 24).file, "tail.arrows"]


def test_the_number_of_segments_follows_the_rows_and_not_the_flushes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stetho.store.table_writer.SEAL_BATCHES", 4)
    writer = TableWriter(tmp_path, SCHEMA, seal_rows=100)
    write(writer, batches=1000, rows=1)
    writer.seal()
    writer.close()
    assert list_spans(tmp_path) == [Span(first, first + 100) for first in range(0, 1000, 100)]
    assert len(os.listdir(tmp_path)) == 10


def test_sealing_nothing_does_nothing(tmp_path: Path) -> None:
    writer = TableWriter(tmp_path / "table", SCHEMA, seal_rows=10)
    writer.seal()
    writer.close()
    assert not (tmp_path / "table").exists()


def test_a_damaged_segment_is_not_merged(tmp_path: Path) -> None:
    writer = TableWriter(tmp_path, SCHEMA, seal_rows=100)
    writer.append(batch(1, 4))
    writer.seal()
    (tmp_path / Span(0, 4).file).write_bytes(b"")
    writer.append(batch(2, 4))
    with pytest.raises(OSError, match="not a readable segment"):
        writer.seal()
    writer.close()
    assert (tmp_path / "tail.arrows").exists()
