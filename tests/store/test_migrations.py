"""Older formats stay readable, newer ones are refused."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from stetho.errors import RunDamaged, RunVersionError
from stetho.store import migrations
from stetho.store.format import FORMAT_VERSION
from stetho.store.migrations import Migration, migrations_from
from stetho.store.reader import list_runs, open_run

from .conftest import LAYOUTS


def set_format(path: Path, version: object) -> None:
    info = json.loads((path / "run.json").read_text())
    (path / "run.json").write_text(json.dumps(info | {"format": version}))


def test_a_newer_format_is_refused_with_both_numbers(tmp_path: Path) -> None:
    run = LAYOUTS["one segment"](tmp_path)
    set_format(run.path, FORMAT_VERSION + 6)
    with pytest.raises(RunVersionError, match=rf"run format {FORMAT_VERSION + 6}.*up to format {FORMAT_VERSION}"):
        open_run(run.path)


def test_a_format_that_is_too_old_is_refused() -> None:
    with pytest.raises(RunVersionError, match="run format 0"):
        migrations_from(0, "run.json")


@pytest.mark.parametrize("version", [None, "1", 1.0, True, [1]])
def test_a_format_that_is_no_number_is_damage(tmp_path: Path, version: object) -> None:
    run = LAYOUTS["one segment"](tmp_path)
    set_format(run.path, version)
    with pytest.raises(RunDamaged, match=r"run\.json: format is"):
        open_run(run.path)
    assert list_runs(tmp_path) == []


def test_an_older_run_is_read_through_each_migration_in_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = LAYOUTS["segments and tails"](tmp_path)
    before = open_run(run.path).table("steps")

    def rename(info: dict[str, Any]) -> dict[str, Any]:
        return {**info, "title": info["name"]}

    def double_loss(table: str, rows: pa.RecordBatch) -> pa.RecordBatch:
        if table != "steps":
            return rows
        doubled = pa.array([2 * loss for loss in rows.column("loss").to_pylist()])
        return rows.set_column(rows.schema.get_field_index("loss"), "loss", doubled)

    now = FORMAT_VERSION + 2
    monkeypatch.setattr(migrations, "FORMAT_VERSION", now)
    steps = {now - 2: Migration(info=rename, rows=double_loss), now - 1: Migration(rows=double_loss)}
    monkeypatch.setattr(migrations, "MIGRATIONS", steps)
    opened = open_run(run.path)
    assert opened.info["title"] == "train"
    assert opened.table("steps")["loss"].to_pylist() == [4 * loss for loss in before["loss"].to_pylist()]
    assert opened.table("steps")["step"] == before["step"]


def test_there_is_a_migration_from_every_readable_version() -> None:
    assert len(migrations_from(migrations.OLDEST_READABLE, "run.json")) == FORMAT_VERSION - migrations.OLDEST_READABLE
