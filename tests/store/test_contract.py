"""What a run holds does not depend on how it happens to lie on disk."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from stetho.records import Series
from stetho.store.format import MEASURES, TABLES
from stetho.store.reader import Run, open_run
from stetho.store.segments import list_spans

from .conftest import SERIES, Recorded, histogram, number

ALL_MEASURES = ", ".join(f'"{name}"' for name in ("step", "series", *MEASURES))


class StoreContract:
    """Whatever gives a `run` with the recorded content keeps this."""

    def test_steps_come_in_the_order_of_recording(self, run: Run, recorded: Recorded) -> None:
        table = run.table("steps")
        assert table["step"].to_pylist() == list(range(1, recorded.steps + 1))
        assert table["loss"].to_pylist() == [1 / step for step in range(1, recorded.steps + 1)]
        assert table["lrs"].to_pylist() == [[0.1, step] for step in range(1, recorded.steps + 1)]
        assert table["epoch"].null_count == recorded.steps

    @pytest.mark.parametrize("table", ["batches", "metrics", "memory"])
    def test_no_row_is_lost_or_doubled(self, run: Run, recorded: Recorded, table: str) -> None:
        assert run.table(table)["step"].to_pylist() == list(range(1, recorded.steps + 1))

    def test_all_stats_are_there_once(self, run: Run, recorded: Recorded) -> None:
        rows = run.table("stats").select(["step", "series", *MEASURES])
        found = sorted(tuple(row.values()) for row in rows.to_pylist())
        assert found == expected_stats(recorded.steps)

    @pytest.mark.parametrize("series", SERIES, ids=str)
    def test_a_series_reads_in_order_of_steps(self, run: Run, recorded: Recorded, series: Series) -> None:
        for measure in MEASURES:
            stat = f"{series.role}.{measure}"
            steps, values = run.values(stat, series.name, model=series.model, phase=series.phase)
            assert steps.tolist() == list(range(1, recorded.steps + 1))
            assert values.tolist() == [number(step, series.id, measure) for step in steps.tolist()]

    def test_a_step_reads_with_its_names(self, run: Run, recorded: Recorded) -> None:
        for step in range(1, recorded.steps + 1):
            rows = sorted(run.step(step).to_pylist(), key=lambda row: row["series"])
            assert [(row["series"], row["name"], row["phase"], row["model"]) for row in rows] == [
                (one.id, one.name, one.phase, one.model) for one in SERIES
            ]
            assert [row["rms"] for row in rows] == [number(step, one.id, "rms") for one in SERIES]

    def test_a_step_that_was_not_recorded_is_empty(self, run: Run) -> None:
        assert run.step(10_000).num_rows == 0
        assert run.step(10_000).schema == run.step(1).schema

    def test_histograms_are_there_once(self, run: Run, recorded: Recorded) -> None:
        rows = run.table("histograms").to_pylist()
        assert len(rows) == 2 * recorded.steps
        for row in rows:
            assert row["counts"] == histogram(row["step"], row["series"]).tolist()

    def test_sql_sees_the_same_rows(self, run: Run, recorded: Recorded) -> None:
        result = run.query(f"select {ALL_MEASURES} from stats order by step, series")
        assert [tuple(row.values()) for row in result.to_pylist()] == expected_stats(recorded.steps)
        for table in TABLES:
            assert run.query(f"select count(*) as n from {table}").to_pylist() == [{"n": run.table(table).num_rows}]

    def test_sql_tables_have_the_columns_of_the_arrow_tables(self, run: Run) -> None:
        for table in TABLES:
            assert run.query(f"select * from {table} limit 1").schema.names == run.table(table).schema.names

    def test_frames_hold_the_tables(self, run: Run, recorded: Recorded) -> None:
        frame = run.frame("stats")
        assert len(frame) == len(SERIES) * recorded.steps
        assert set(frame["name"]) == {one.name for one in SERIES}

    def test_what_stands_beside_the_tables_is_there(self, run: Run) -> None:
        assert run.info["name"] == "train"
        assert run.model == {"models": [{"id": 0, "class": "Net"}]}
        assert run.notes == [{"kind": "start", "text": "it begins", "line": 3}]
        assert run.series == SERIES
        np.testing.assert_array_equal(run.tensors(3)["weight"], [[0, 1, 2], [3, 4, 5]])
        assert run.tensors(4) == {}

    def test_values_lie_in_the_file_and_not_in_copies(self, run: Run) -> None:
        segments = run.rows("stats").segments
        if segments:
            allocated = pa.total_allocated_bytes()
            for segment in segments:
                segment.rows.column("rms")
            assert pa.total_allocated_bytes() == allocated


class TestEveryLayout(StoreContract):
    @pytest.fixture
    def run(self, recorded: Recorded) -> Run:
        return open_run(recorded.path)


def expected_stats(steps: int) -> list[tuple[float, ...]]:
    return [
        (step, one.id, *(number(step, one.id, measure) for measure in MEASURES))
        for step in range(1, steps + 1)
        for one in SERIES
    ]


def test_the_layouts_are_what_they_are_called(in_layout: Any) -> None:
    def shape(layout: str) -> tuple[int, bool]:
        folder = in_layout(layout).path / "stats"
        return len(list_spans(folder)), (folder / "tail.arrows").exists()

    assert shape("tails only") == (0, True)
    assert shape("one segment") == (1, False)
    assert shape("segments")[0] > 5
    assert shape("segments and tails") == (3, True)
    assert 1 < shape("merged segments")[0] < 6
