"""The names of series: read with care, and put beside the ids."""

import json
from pathlib import Path
from typing import Any

import pytest

from stetho.errors import RunDamaged
from stetho.records import Series
from stetho.store.format import METRICS, STATS
from stetho.store.series_names import named_schema, read_series, series_table

LINE = {"id": 0, "model": 0, "name": "fc", "role": "act", "phase": "train"}


def write(folder: Path, *lines: dict[str, Any]) -> None:
    (folder / "series.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))


def test_series_come_back(tmp_path: Path) -> None:
    write(tmp_path, LINE, LINE | {"id": 7, "phase": "eval"})
    assert read_series(tmp_path) == [Series(0, 0, "fc", "act", "train"), Series(7, 0, "fc", "act", "eval")]


def test_no_series_is_an_empty_table(tmp_path: Path) -> None:
    assert read_series(tmp_path) == []
    assert series_table([]).num_rows == 0


@pytest.mark.parametrize(
    "change",
    [
        {"id": "0"},
        {"id": -1},
        {"id": 2**31},
        {"id": True},
        {"model": 40_000},
        {"name": None},
        {"role": 3},
        {"phase": "test"},
        {"phase": []},
    ],
)
def test_a_line_that_defines_no_series_is_damage_with_its_number(tmp_path: Path, change: dict[str, Any]) -> None:
    write(tmp_path, LINE, {**LINE, "id": 1, **change})
    with pytest.raises(RunDamaged, match=rf"series\.jsonl, line 2: {next(iter(change))} is"):
        read_series(tmp_path)


def test_a_line_that_was_written_twice_counts_once(tmp_path: Path) -> None:
    write(tmp_path, LINE, LINE)
    assert len(read_series(tmp_path)) == 1


def test_an_id_with_two_meanings_is_damage(tmp_path: Path) -> None:
    write(tmp_path, LINE, LINE | {"name": "other"})
    with pytest.raises(RunDamaged, match="twice"):
        read_series(tmp_path)


def test_names_stand_behind_the_id_and_only_where_there_is_one() -> None:
    assert named_schema(STATS).names[:7] == ["step", "series", "model", "name", "role", "phase", "calls"]
    assert named_schema(METRICS) == METRICS
