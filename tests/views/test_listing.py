"""A folder of runs as a table."""

from pathlib import Path
from typing import Any

from stetho.views.listing import entries, rows

Record = Any


def test_lists_finished_and_killed_runs_oldest_first(record: Record, tmp_path: Path) -> None:
    record()
    record(steps=2, ending=None)
    listed = entries(tmp_path / "stetho-runs")
    assert [(each.state, each.steps, each.loss, each.exit_code) for each in listed] == [
        ("finished", 4, 1.0, 0),
        ("killed", 2, 2.0, None),
    ]
    assert rows(listed)[0][2:] == ["finished", "4", "1", "12.5 s", "0"]
    assert rows(listed)[1][2:] == ["killed", "2", "2", "2.0 s", "–"]


def test_tells_how_each_program_ended(record: Record, tmp_path: Path) -> None:
    for kind, code in (("exception", 1), ("interrupted", 130), ("terminated", 143), ("steps reached", 0), ("exit", 3)):
        record(ending={"exit": {"kind": kind, "code": code}})
    (record(ending=None).path / "crashes.jsonl").write_text('{"kind": "crash", "signal": "SIGBUS"}\n')
    told = [row[2] for row in rows(entries(tmp_path / "stetho-runs"))]
    assert told == ["failed", "interrupted", "terminated", "stopped", "finished", "crashed"]


def test_a_run_that_cannot_be_read_is_listed_as_such(record: Record, tmp_path: Path) -> None:
    record()
    newer = tmp_path / "stetho-runs" / "2026-12-01_00-00-00_newer"
    newer.mkdir()
    (newer / "run.json").write_text('{"format": 999}')
    damaged = tmp_path / "stetho-runs" / "2026-12-02_00-00-00_damaged"
    damaged.mkdir()
    (damaged / "run.json").write_text('{"format": ')
    listed = entries(tmp_path / "stetho-runs")
    assert [each.state for each in listed] == ["finished", "unreadable", "unreadable"]
    assert "999" in str(listed[1].problem)
    assert rows(listed)[1][1:] == ["–", "unreadable", "–", "–", "–", "–"]


def test_a_folder_that_is_not_there_holds_no_runs(tmp_path: Path) -> None:
    assert entries(tmp_path / "nowhere") == []
