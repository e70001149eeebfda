"""Findings on disk: appended, synced, and readable up to the last whole line."""

import os
from pathlib import Path

import pytest

from stetho.store.finding_lines import append_findings, read_findings


def test_findings_are_appended(tmp_path: Path) -> None:
    append_findings(tmp_path, [{"check": "a"}, {"check": "b", "loss": float("nan")}])
    append_findings(tmp_path, [{"check": "c"}])
    assert [each["check"] for each in read_findings(tmp_path)] == ["a", "b", "c"]
    assert read_findings(tmp_path)[1]["loss"] == "NaN"


def test_nothing_found_writes_nothing(tmp_path: Path) -> None:
    append_findings(tmp_path, [])
    assert list(tmp_path.iterdir()) == []
    assert read_findings(tmp_path) == []


def test_they_are_on_the_disk_before_the_call_returns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    append_findings(tmp_path, [{"check": "a"}])
    assert len(synced) == 1


def test_a_line_that_was_cut_off_is_left_out(tmp_path: Path) -> None:
    append_findings(tmp_path, [{"check": "a"}])
    with open(tmp_path / "findings.jsonl", "a") as file:
        file.write('{"check": "b')
    assert [each["check"] for each in read_findings(tmp_path)] == ["a"]
