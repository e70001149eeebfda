"""`stetho runs` lists the runs of a folder."""

import json
from pathlib import Path
from typing import Any

Stetho = Any


def test_lists_runs(stetho: Stetho, recorded: Path) -> None:
    done = stetho("runs")
    assert done.stdout.splitlines() == [
        "run                        started           state     steps  loss   time  exit",
        f"{recorded.name}  2026-11-15 19:40  finished      2   0.5  2.5 s     0",
    ]


def test_takes_another_folder_from_the_command_line_and_from_the_project(
    stetho: Stetho, recorded: Path, tmp_path: Path
) -> None:
    recorded.parent.rename(tmp_path / "elsewhere")
    assert recorded.name in stetho("runs", "--out", "elsewhere").stdout
    (tmp_path / "pyproject.toml").write_text('[tool.stetho]\nout = "elsewhere"\n')
    assert recorded.name in stetho("runs").stdout


def test_prints_json(stetho: Stetho, recorded: Path) -> None:
    (entry,) = json.loads(stetho("runs", "--json").stdout)
    assert (entry["name"], entry["steps"], entry["loss"]) == (recorded.name, 2, 0.5)


def test_says_when_there_are_none(stetho: Stetho) -> None:
    done = stetho("runs")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "no runs in stetho-runs; record one with: stetho run train.py\n"
    assert stetho("runs", "--json").stdout == "[]\n"


def test_says_what_is_wrong_with_a_run_that_cannot_be_read(stetho: Stetho, recorded: Path) -> None:
    (recorded / "run.json").write_text("{")
    done = stetho("runs")
    assert done.returncode == 0
    assert "unreadable" in done.stdout
    assert done.stderr.startswith(f"{recorded.name}: ")
    assert "Traceback" not in done.stderr
