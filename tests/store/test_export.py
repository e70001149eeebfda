"""Exports hold everything, and appear whole or not at all."""

import csv
import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from tensorboard.backend.event_processing.event_file_loader import RawEventFileLoader
from tensorboard.compat.proto.event_pb2 import Event

from stetho.errors import MissingPackage, UsageError
from stetho.store import export
from stetho.store.export import FORMATS, export_run
from stetho.store.format import TABLES
from stetho.store.reader import open_run
from stetho.store.writer import RunWriter

from .conftest import LAYOUTS, Recorded, number

Layout = Callable[[str], Recorded]


def test_parquet_holds_the_tables(recorded: Recorded, tmp_path: Path) -> None:
    run = open_run(recorded.path)
    export_run(run, "parquet", tmp_path / "out")
    for table in TABLES:
        assert pq.read_table(tmp_path / "out" / f"{table}.parquet").to_pylist() == run.table(table).to_pylist()
    assert pq.read_table(tmp_path / "out" / "series.parquet")["name"].to_pylist() == [one.name for one in run.series]


def test_csv_holds_the_tables(recorded: Recorded, tmp_path: Path) -> None:
    run = open_run(recorded.path)
    export_run(run, "csv", tmp_path / "out")
    with (tmp_path / "out" / "stats.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == run.table("stats").num_rows
    for row in rows:
        assert float(row["rms"]) == number(int(row["step"]), int(row["series"]), "rms")
    with (tmp_path / "out" / "steps.csv").open(newline="") as file:
        assert [row["lrs"] for row in csv.DictReader(file)] == [f"0.1 {step}" for step in range(1, recorded.steps + 1)]


def test_events_hold_curves_and_histograms(recorded: Recorded, tmp_path: Path) -> None:
    export_run(open_run(recorded.path), "tensorboard", tmp_path / "out")
    (file,) = (tmp_path / "out").glob("events.out.tfevents.*")
    found: dict[str, dict[int, float]] = {}
    for record in RawEventFileLoader(str(file)).Load():
        event = Event.FromString(record)
        for value in event.summary.value:
            shown = value.histo.num if value.HasField("histo") else value.simple_value
            assert event.step not in found.setdefault(value.tag, {}), "shown twice"
            found[value.tag][event.step] = shown
    steps = range(1, recorded.steps + 1)
    assert found["step/loss"] == pytest.approx({step: 1 / step for step in steps})
    assert found["user/accuracy"] == pytest.approx({step: step / 100 for step in steps})
    assert found["act.rms/fc1"] == {step: number(step, 0, "rms") for step in steps}
    assert found["eval.act.rms/fc1"] == {step: number(step, 1, "rms") for step in steps}
    assert found["model1.act.rms/fc1"] == {step: number(step, 3, "rms") for step in steps}
    assert found["update.ratio/fc1.weight"] == {step: number(step, 2, "ratio") for step in steps}
    assert found["histogram.act/fc1"] == {step: step + 1 for step in steps}
    assert "step/step" not in found
    assert "act.ratio/fc1" not in found


@pytest.mark.parametrize("format", FORMATS)
def test_a_run_with_nothing_in_it_is_exported_too(tmp_path: Path, format: str) -> None:
    writer = RunWriter.create(tmp_path, "train", {})
    writer.close({})
    export_run(open_run(writer.path), format, tmp_path / "out")
    assert (tmp_path / "out" / "export.json").exists()


def test_what_is_there_is_replaced_only_by_force_and_only_if_it_is_an_export(tmp_path: Path) -> None:
    run = open_run(LAYOUTS["one segment"](tmp_path).path)
    target = tmp_path / "out"
    export_run(run, "csv", target)
    with pytest.raises(UsageError, match="is there already; give --force"):
        export_run(run, "csv", target)
    export_run(run, "parquet", target, force=True)
    assert (target / "stats.parquet").exists()
    assert not (target / "stats.csv").exists()
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "thesis.tex").write_text("years of work")
    for precious in (mine, mine / "thesis.tex", run.path):
        with pytest.raises(UsageError, match="is no earlier export"):
            export_run(run, "csv", precious, force=True)
    assert (mine / "thesis.tex").read_text() == "years of work"


@pytest.mark.parametrize("before", [False, True])
def test_a_failed_export_leaves_things_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: bool
) -> None:
    run = open_run(LAYOUTS["one segment"](tmp_path / "runs").path)
    target = tmp_path / "exports" / "out"
    if before:
        export_run(run, "csv", target)

    def fail(_run: object, folder: Path) -> None:
        (folder / "half.csv").write_text("half")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setitem(export._FORMATS, "csv", fail)
    with pytest.raises(UsageError, match="No space left on device"):
        export_run(run, "csv", target, force=True)
    assert os.listdir(target.parent) == (["out"] if before else [])
    assert not before or (target / "stats.csv").exists()


def test_without_tensorboard_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = open_run(LAYOUTS["one segment"](tmp_path / "runs").path)
    monkeypatch.setitem(sys.modules, "tensorboard.compat.proto.event_pb2", None)
    with pytest.raises(MissingPackage, match=r"stetho\[tensorboard\]"):
        export_run(run, "tensorboard", tmp_path / "out")
    assert os.listdir(tmp_path) == ["runs"]
