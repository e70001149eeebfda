"""A table is read as of one moment, also while it is written."""

import threading
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from stetho.errors import RunDamaged
from stetho.store import table_reader
from stetho.store.columns import from_numpy
from stetho.store.format import MEMORY
from stetho.store.segments import Span, write_segment
from stetho.store.table_reader import TableReader
from stetho.store.table_writer import TableWriter
from stetho.store.tail import TailWriter


def batch(*steps: int) -> pa.RecordBatch:
    numbers = from_numpy(np.array(steps, np.int32), pa.int32())
    others = [pa.nulls(len(steps), field.type) for field in list(MEMORY)[1:]]
    return pa.RecordBatch.from_arrays([numbers, *others], schema=MEMORY)


def steps_in(folder: Path) -> list[int]:
    rows = TableReader(folder, "memory", []).read()
    return [step for part in rows.batches() for step in part.column("step").to_pylist()]


def test_a_reader_never_sees_a_row_twice_or_a_hole_while_segments_are_sealed_and_merged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stetho.store.table_writer.SEAL_BATCHES", 3)
    monkeypatch.setattr(table_reader, "_ATTEMPTS", 100)
    folder = tmp_path / "memory"
    done = threading.Event()

    def write() -> None:
        writer = TableWriter(folder, MEMORY, seal_rows=20)
        for step in range(600):
            writer.append(batch(step))
            writer.seal_if_due()
        writer.seal()
        writer.close()
        done.set()

    thread = threading.Thread(target=write)
    thread.start()
    seen = 0
    while not done.is_set():
        found = steps_in(folder)
        assert found == list(range(len(found)))
        assert len(found) >= seen
        seen = len(found)
    thread.join()
    assert steps_in(folder) == list(range(600))


def test_a_tail_whose_rows_have_been_sealed_is_left_out(tmp_path: Path) -> None:
    tail = TailWriter(tmp_path, MEMORY, first_row=0)
    tail.append(batch(1, 2))
    tail.close()
    assert steps_in(tmp_path) == [1, 2]
    write_segment(tmp_path, Span(0, 2), batch(1, 2))
    assert steps_in(tmp_path) == [1, 2]


def test_a_missing_segment_before_the_tail_is_damage(tmp_path: Path) -> None:
    tail = TailWriter(tmp_path, MEMORY, first_row=5)
    tail.append(batch(6))
    tail.close()
    with pytest.raises(RunDamaged, match="rows 0 to 5 are in no segment"):
        steps_in(tmp_path)


def test_a_column_that_was_not_written_is_null_and_an_unknown_one_is_left_out(tmp_path: Path) -> None:
    rows = batch(1, 2).drop_columns(["device"]).append_column("new", pa.array([1, 2]))
    write_segment(tmp_path, Span(0, 2), rows)
    found = TableReader(tmp_path, "memory", []).read().segments[0].rows
    assert found.schema.names == MEMORY.names
    assert found.column("device").null_count == 2


def test_a_column_of_another_type_is_damage(tmp_path: Path) -> None:
    rows = batch(1).drop_columns(["rss"]).append_column("rss", pa.array(["much"]))
    write_segment(tmp_path, Span(0, 1), rows)
    with pytest.raises(RunDamaged, match="column rss has type string; it should be int64"):
        steps_in(tmp_path)


def test_steps_that_go_back_are_put_in_order(tmp_path: Path) -> None:
    from stetho.store.columns import from_values
    from stetho.store.format import STATS

    def stats(*steps: int) -> pa.RecordBatch:
        columns = [
            from_values([step if name == "step" else 0 for step in steps], STATS.field(name).type)
            for name in STATS.names
        ]
        return pa.RecordBatch.from_arrays(columns, schema=STATS)

    write_segment(tmp_path, Span(0, 2), stats(5, 6))
    write_segment(tmp_path, Span(2, 4), stats(1, 2))
    steps, values = TableReader(tmp_path, "stats", []).read().of_series(0, "rms")
    assert steps.tolist() == [1, 2, 5, 6]
    assert len(values) == 4
