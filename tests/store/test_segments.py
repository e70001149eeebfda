"""Segments are sorted, know their series, and are in place whole."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stetho.errors import RunDamaged
from stetho.store.columns import from_numpy
from stetho.store.segments import Span, list_spans, open_segment, write_segment

PAIRS = st.lists(st.tuples(st.integers(0, 2**31 - 1) | st.integers(0, 5), st.integers(0, 80_000)), min_size=1)


def rows_of(pairs: list[tuple[int, int]]) -> pa.RecordBatch:
    series, step = (from_numpy(np.array(column, np.int32), pa.int32()) for column in zip(*pairs, strict=True))
    order = from_numpy(np.arange(len(pairs), dtype=np.int64), pa.int64())
    return pa.RecordBatch.from_arrays([step, series, order], names=["step", "series", "order"])


@given(pairs=PAIRS)
def test_rows_are_sorted_by_series_then_step_then_order_of_recording(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[int, int]]
) -> None:
    folder = tmp_path_factory.mktemp("table")
    span = Span(100, 100 + len(pairs))
    write_segment(folder, span, rows_of(pairs))
    segment = open_segment(folder, span)
    found = list(zip(*(segment.rows.column(name).to_pylist() for name in ("series", "step", "order")), strict=True))
    assert found == sorted((series, step, order) for order, (series, step) in enumerate(pairs))
    assert (segment.first_step, segment.last_step) == (min(step for _, step in pairs), max(step for _, step in pairs))
    for series in {series for series, _ in pairs}:
        part = segment.of_series(series)
        assert part is not None
        assert part.column("step").to_pylist() == sorted(step for other, step in pairs if other == series)
    assert segment.of_series(-1) is None


def test_a_table_without_series_keeps_the_order_of_steps(tmp_path: Path) -> None:
    rows = rows_of([(0, 3), (0, 1), (0, 2)]).drop_columns(["series"])
    write_segment(tmp_path, Span(0, 3), rows)
    assert open_segment(tmp_path, Span(0, 3)).rows.to_pydict() == {"step": [1, 2, 3], "order": [1, 2, 0]}


def test_a_segment_that_a_larger_one_has_replaced_is_left_out(tmp_path: Path) -> None:
    for span in (Span(0, 4), Span(4, 6), Span(4, 9), Span(6, 9), Span(9, 10)):
        (tmp_path / span.file).touch()
    (tmp_path / f".{Span(10, 12).file}.tmp").touch()
    assert list_spans(tmp_path) == [Span(0, 4), Span(4, 9), Span(9, 10)]
    assert list_spans(tmp_path / "nowhere") == []


@pytest.mark.parametrize("spans", [[Span(3, 5)], [Span(0, 3), Span(4, 5)], [Span(0, 3), Span(2, 5)]])
def test_a_gap_or_an_overlap_is_damage(tmp_path: Path, spans: list[Span]) -> None:
    for span in spans:
        (tmp_path / span.file).touch()
    with pytest.raises(RunDamaged, match=spans[-1].file):
        list_spans(tmp_path)


def test_a_segment_with_another_number_of_rows_than_its_name_is_damage(tmp_path: Path) -> None:
    write_segment(tmp_path, Span(0, 2), rows_of([(0, 1), (0, 2)]))
    (tmp_path / Span(0, 2).file).rename(tmp_path / Span(0, 3).file)
    with pytest.raises(RunDamaged, match="2 rows where its name says 3"):
        open_segment(tmp_path, Span(0, 3))


@pytest.mark.parametrize(
    ("series", "offsets"),
    [
        ("[0, 1]", "[0, 1]"),
        ("[0, 1]", "[0, 1, 3]"),
        ("[1, 0]", "[0, 1, 2]"),
        ("[0, 2]", "[0, 1, 2]"),
        ("[0, 1]", "[0, 0, 2]"),
        ("[0]", "[0, 2]"),
        ("[0, 99999999999999999999]", "[0, 1, 2]"),
        ("{}", "[]"),
        ("oops", "[0, 1, 2]"),
    ],
)
def test_offsets_that_do_not_fit_the_rows_are_damage(tmp_path: Path, series: str, offsets: str) -> None:
    rows = rows_of([(0, 1), (1, 1)])
    metadata = {"stetho.first_step": "1", "stetho.last_step": "1", "stetho.series": series, "stetho.offsets": offsets}
    rows = rows.replace_schema_metadata(metadata)
    with pa.ipc.new_file(str(tmp_path / Span(0, 2).file), rows.schema) as file:
        file.write_batch(rows)
    with pytest.raises(RunDamaged, match=r"000000000002\.arrow"):
        open_segment(tmp_path, Span(0, 2))


def test_an_opened_segment_holds_no_file_open(tmp_path: Path) -> None:
    import os

    write_segment(tmp_path, Span(0, 1), rows_of([(0, 1)]))
    before = len(os.listdir("/proc/self/fd"))
    segments = [open_segment(tmp_path, Span(0, 1)) for _ in range(50)]
    assert len(os.listdir("/proc/self/fd")) == before
    assert {segment.rows.num_rows for segment in segments} == {1}
