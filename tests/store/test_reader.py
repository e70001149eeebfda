"""Reading: what a person gets, and what it says when it cannot."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from stetho.errors import MissingPackage, NotARun, RunDamaged, UsageError
from stetho.store.reader import list_runs, open_run
from stetho.store.segments import list_spans
from stetho.store.writer import RunWriter

from .conftest import LAYOUTS, SERIES, Recorded, record, sealed_after, write_step

Layout = Callable[[str], Recorded]


def test_a_run_knows_its_state(in_layout: Layout) -> None:
    assert open_run(in_layout("one segment").path).state == "finished"
    unended = open_run(in_layout("tails only").path)
    unended.info["started"] = "2999-01-01T00:00:00+00:00"
    assert unended.state == "running"
    unended.info["pid"] = 2**22 + 1
    assert unended.state == "killed"
    assert repr(unended) == "<Run 2026-11-15_19-40-27_train: killed>"


def test_ranks_open_from_their_job(in_layout: Layout) -> None:
    job = in_layout("ranks").path.parent
    run = open_run(job)
    assert (run.ranks, run.name, run.path.name) == ([0, 1], job.name, "rank=0")
    assert open_run(job, rank=1).table("steps").num_rows == 23
    assert [one.path for one in list_runs(job.parent)] == [run.path]


def test_a_run_of_one_process_has_no_ranks(in_layout: Layout) -> None:
    assert open_run(in_layout("one segment").path).ranks == []


def test_refresh_sees_what_was_written_since(tmp_path: Path) -> None:
    with sealed_after(rows=16, batches=100):
        writer = RunWriter.create(tmp_path, "train", {})
        for one in SERIES:
            writer.define(one)
        run = open_run(writer.path)
        assert run.table("stats").num_rows == 0
        for step in range(1, 12):
            write_step(writer, step)
            writer.flush()
            assert run.table("stats").num_rows == 4 * (step - 1)
            run.refresh()
            assert run.table("stats").num_rows == 4 * step
            assert run.series == SERIES
        writer.close({"exit": {"code": 0}})
        run.refresh()
        assert run.info["exit"] == {"code": 0}
        assert run.values("act.rms", "fc1")[0].tolist() == list(range(1, 12))


def test_series_defined_after_ours_were_read_are_found(tmp_path: Path) -> None:
    writer = RunWriter.create(tmp_path, "train", {})
    run = open_run(writer.path)
    assert run.series == []
    for one in SERIES:
        writer.define(one)
    write_step(writer, 1)
    writer.flush()
    assert set(run.table("stats")["name"].to_pylist()) == {one.name for one in SERIES}


def test_values_without_rows_are_empty_and_typed(tmp_path: Path) -> None:
    writer = RunWriter.create(tmp_path, "train", {})
    writer.define(SERIES[0])
    writer.append("steps", {"step": 1})
    writer.append_stats(1, np.zeros((0, 13)))
    writer.flush()
    steps, values = open_run(writer.path).values("act.rms", "fc1")
    assert (len(steps), steps.dtype, len(values), values.dtype) == (0, np.int32, 0, np.float32)


@pytest.mark.parametrize("stat", ["rms", "act", "act.", ".rms", "act.median", ""])
def test_a_stat_that_does_not_exist_is_said_with_the_measures(in_layout: Layout, stat: str) -> None:
    with pytest.raises(UsageError, match=r"role\.measure, with a measure of calls, count"):
        open_run(in_layout("one segment").path).values(stat, "fc1")


def test_a_name_that_does_not_exist_is_said_with_those_that_are_near(in_layout: Layout) -> None:
    run = open_run(in_layout("one segment").path)
    with pytest.raises(UsageError, match=r"no act of 'fc2' in phase train of model 0.*recorded are fc1, …"):
        run.values("act.rms", "fc2")
    with pytest.raises(UsageError, match=r"fc1 has: act \(eval, model 0\), act \(train, model 0\)"):
        run.values("grad.rms", "fc1")


def test_a_table_that_does_not_exist_is_said_with_those_that_do(in_layout: Layout) -> None:
    with pytest.raises(UsageError, match="no table 'stat'; tables: steps, stats"):
        open_run(in_layout("one segment").path).table("stat")


def test_rows_of_an_undefined_series_are_damage(in_layout: Layout) -> None:
    path = in_layout("segments and tails").path
    lines = (path / "series.jsonl").read_bytes().splitlines(keepends=True)
    (path / "series.jsonl").write_bytes(b"".join(lines[:-1]))
    with pytest.raises(RunDamaged, match=r"series\.jsonl does not define"):
        open_run(path).table("stats")


def test_damage_in_one_table_leaves_the_others_readable(in_layout: Layout) -> None:
    path = in_layout("segments").path
    segment = path / "stats" / list_spans(path / "stats")[1].file
    segment.write_bytes(segment.read_bytes()[:-100])
    run = open_run(path)
    with pytest.raises(RunDamaged, match=segment.name):
        run.table("stats")
    assert run.table("steps").num_rows == 23


def test_a_missing_segment_is_damage(in_layout: Layout) -> None:
    path = in_layout("segments").path
    (path / "stats" / list_spans(path / "stats")[1].file).unlink()
    with pytest.raises(RunDamaged, match="begins at row"):
        open_run(path).table("stats")


def test_a_folder_without_run_json_is_not_a_run(in_layout: Layout) -> None:
    path = in_layout("one segment").path
    (path / "run.json").unlink()
    with pytest.raises(NotARun, match=r"neither a run\.json nor runs"):
        open_run(path)


def test_a_list_of_runs_leaves_out_what_cannot_be_opened(tmp_path: Path) -> None:
    good = record(tmp_path, seal_rows=100, seal_batches=10, close=True, steps=2)
    bad = record(tmp_path, seal_rows=100, seal_batches=10, close=True, steps=2)
    (bad.path / "run.json").write_text("{")
    (tmp_path / "other").mkdir()
    assert [run.path for run in list_runs(tmp_path)] == [good.path]
    assert list_runs(tmp_path / "nowhere") == []


def test_a_frame_without_pandas_says_what_to_install(in_layout: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingPackage, match=r"pip install 'stetho\[pandas\]'"):
        open_run(in_layout("one segment").path).frame("steps")


def test_reading_asking_and_exporting_need_no_torch(tmp_path: Path) -> None:
    path = LAYOUTS["segments and tails"](tmp_path).path
    program = """
import sys
class NoTorch:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("torch", "tensorflow", "jax"):
            raise ImportError(f"{name} is not installed")
sys.meta_path.insert(0, NoTorch())
import warnings
warnings.simplefilter("error")
from pathlib import Path
from stetho.store.reader import open_run
from stetho.store.export import FORMATS, export_run
run = open_run(sys.argv[1])
counts = [run.table("stats").num_rows, len(run.frame("steps")), len(run.values("act.rms", "fc1")[0]),
          run.step(3).num_rows, run.query("select 1 from stats").num_rows, len(run.tensors(3))]
for format in FORMATS:
    export_run(run, format, Path(sys.argv[2]) / format)
print(counts, "torch" in sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-c", program, path, tmp_path / "exported"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[92, 23, 23, 4, 92, 1] False"


def test_old_documents_with_odd_content_still_open(in_layout: Layout) -> None:
    path = in_layout("tails only").path
    info = json.loads((path / "run.json").read_text())
    for odd in ({"machine": "box"}, {"pid": {}}, {"started": 5}, {"started": None, "pid": 2**80}):
        (path / "run.json").write_text(json.dumps(info | odd))
        assert open_run(path).state in ("running", "killed")
