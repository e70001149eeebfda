"""The writer: folders, order, threads, forks."""

import json
import os
import threading
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from stetho.records import Series
from stetho.store.format import FORMAT_VERSION, MEASURES
from stetho.store.reader import open_run
from stetho.store.writer import RunWriter

from .conftest import SERIES, STARTED, sealed_after, stats_rows, write_step


def test_the_folder_is_named_by_time_and_name(tmp_path: Path) -> None:
    paths = [RunWriter.create(tmp_path / "new" / "out", "my run.py", {}, started=STARTED).path for _ in range(3)]
    assert [path.name for path in paths] == [f"2026-11-15_19-40-27_my-run.py{suffix}" for suffix in ("", "-2", "-3")]


@pytest.mark.parametrize(("name", "folder"), [("", "run"), ("../../etc", "etc"), ("é/ñ", "é-ñ"), ("a" * 300, "a" * 80)])
def test_any_name_makes_a_folder_inside(tmp_path: Path, name: str, folder: str) -> None:
    path = RunWriter.create(tmp_path, name, {}, started=STARTED).path
    assert path.parent == tmp_path
    assert path.name.endswith(f"_{folder}")


def test_ranks_share_a_folder_and_a_second_job_gets_its_own(tmp_path: Path) -> None:
    paths = [RunWriter.create(tmp_path, "train", {}, rank=rank, started=STARTED).path for rank in (1, 0, 0, 1)]
    job = tmp_path / "2026-11-15_19-40-27_train"
    second = tmp_path / "2026-11-15_19-40-27_train-2"
    assert paths == [job / "rank=1", job / "rank=0", second / "rank=0", second / "rank=1"]


def test_ranks_do_not_move_into_the_run_of_a_single_process(tmp_path: Path) -> None:
    single = RunWriter.create(tmp_path, "train", {}, started=STARTED).path
    assert RunWriter.create(tmp_path, "train", {}, rank=0, started=STARTED).path.parent != single


def test_run_json_is_there_from_the_beginning_and_ends_with_the_ending(tmp_path: Path) -> None:
    writer = RunWriter.create(tmp_path, "train", {"command": ["train.py"]}, started=datetime(2026, 1, 1, tzinfo=UTC))
    info = json.loads((writer.path / "run.json").read_text())
    assert info == {
        "format": FORMAT_VERSION,
        "name": "train",
        "started": "2026-01-01T00:00:00+00:00",
        "pid": os.getpid(),
        "rank": None,
        "command": ["train.py"],
    }
    writer.close({"exit": {"code": 3}, "seconds": 1.5})
    ended = json.loads((writer.path / "run.json").read_text())
    assert datetime.fromisoformat(ended.pop("ended"))
    assert ended == {**info, "exit": {"code": 3}, "seconds": 1.5}


def test_nothing_is_left_but_files_with_content(tmp_path: Path) -> None:
    before = set(os.listdir("/proc/self/fd"))
    writer = RunWriter.create(tmp_path, "train", {})
    for one in SERIES:
        writer.define(one)
    for step in range(1, 4):
        write_step(writer, step)
        writer.flush()
    writer.append("steps", {"step": 4})
    writer.close({})
    writer.close({"exit": "again"})
    assert set(os.listdir("/proc/self/fd")) == before
    names = {path.name for path in writer.path.rglob("*") if path.is_file()}
    assert not [name for name in names if "tmp" in name or "tail" in name]
    assert "exit" not in open_run(writer.path).info
    assert open_run(writer.path).table("steps").num_rows == 4


def test_rows_are_on_disk_after_a_flush_and_not_before(tmp_path: Path) -> None:
    writer = RunWriter.create(tmp_path, "train", {})
    writer.append("steps", {"step": 1})
    assert open_run(writer.path).table("steps").num_rows == 0
    writer.flush()
    assert open_run(writer.path).table("steps").num_rows == 1
    writer.note("said", "at once")
    assert open_run(writer.path).notes == [{"kind": "said", "text": "at once"}]


def test_a_series_is_defined_before_its_rows(tmp_path: Path) -> None:
    writer = RunWriter.create(tmp_path, "train", {})
    for number in range(5):
        writer.define(Series(number, 0, f"layer{number}", "act", "train"))
        writer.append_stats(number, np.array([[number, *range(len(MEASURES))]], float))
        writer.flush()
        assert open_run(writer.path).table("stats")["name"].to_pylist()[-1] == f"layer{number}"


def test_a_step_larger_than_the_buffer_is_written_whole(tmp_path: Path) -> None:
    writer = RunWriter.create(tmp_path, "train", {})
    rows = np.zeros((100_000, 1 + len(MEASURES)))
    rows[:, 0] = np.arange(100_000)
    writer.append_stats(7, rows)
    writer.close({})
    assert open_run(writer.path).rows("stats").of_steps(7, 7)[0].num_rows == 100_000


def test_many_rows_without_a_flush_do_not_fill_the_memory(tmp_path: Path) -> None:
    writer = RunWriter.create(tmp_path, "train", {})
    for step in range(10_000):
        writer.append("metrics", {"step": step, "name": "x", "value": 1.0})
    assert open_run(writer.path).table("metrics").num_rows >= 10_000 - 4_096


def test_tensors_of_a_step_saved_twice_are_all_kept(tmp_path: Path) -> None:
    writer = RunWriter.create(tmp_path, "train", {})
    writer.save_tensors(2, {"a": np.ones(2)})
    writer.save_tensors(2, {"b": np.zeros(2)})
    assert open_run(writer.path).tensors(2).keys() == {"a", "b"}


def test_threads_may_write_at_the_same_time(tmp_path: Path) -> None:
    with sealed_after(rows=50, batches=10):
        writer = RunWriter.create(tmp_path, "train", {})
        for one in SERIES:
            writer.define(one)

        def work(first: int) -> None:
            for step in range(first, first + 60):
                writer.append("memory", {"step": step})
                writer.append_stats(step, stats_rows(step))
                writer.flush()

        threads = [threading.Thread(target=work, args=(first,)) for first in (0, 1000, 2000)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        writer.close({})
    run = open_run(writer.path)
    expected = sorted([*range(60), *range(1000, 1060), *range(2000, 2060)])
    assert sorted(run.table("memory")["step"].to_pylist()) == expected
    assert run.values("act.rms", "fc1")[0].tolist() == expected


@pytest.mark.parametrize("most_waiting", [1_024, 2])
def test_a_training_goes_on_while_another_thread_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most_waiting: int
) -> None:
    monkeypatch.setattr("stetho.store.writer.MOST_WAITING", most_waiting)
    writer = RunWriter.create(tmp_path, "train", {})
    for one in SERIES:
        writer.define(one)
    held, is_free = threading.Event(), threading.Event()

    def write() -> None:
        with writer._lock:
            held.set()
            is_free.wait(10)

    thread = threading.Thread(target=write)
    thread.start()
    held.wait()
    writer.append_stats(1, stats_rows(1))
    if most_waiting == 2:  # no more is kept waiting than that: whoever comes next waits for the other one
        threading.Timer(0.01, is_free.set).start()
    writer.append("steps", {"step": 1})
    assert most_waiting == 2 or thread.is_alive()
    is_free.set()
    thread.join()
    writer.append_stats(2, stats_rows(2))
    writer.append("steps", {"step": 2})
    writer.flush()
    run = open_run(writer.path)
    assert run.table("steps")["step"].to_pylist() == [1, 2]
    assert run.values("act.rms", "fc1")[0].tolist() == [1, 2]
    writer.close({})


def test_a_forked_child_writes_nothing(tmp_path: Path) -> None:
    program = """
import os, sys
from pathlib import Path
from stetho.store.writer import RunWriter
writer = RunWriter.create(Path(sys.argv[1]), "train", {})
writer.append("steps", {"step": 1})
with writer._lock:
    child = os.fork()
    if not child:
        writer._lock.acquire()
        writer.flush()
        writer.note("child", "speaks")
        writer.write_json("run.json", {})
        writer.close({})
        os._exit(0)
assert os.waitpid(child, 0)[1] == 0
writer.append("steps", {"step": 2})
writer.close({"exit": "parent"})
"""
    import subprocess
    import sys

    subprocess.run([sys.executable, "-c", program, tmp_path], check=True)
    run = open_run(tmp_path)
    assert run.table("steps")["step"].to_pylist() == [1, 2]
    assert run.notes == []
    assert run.info["exit"] == "parent"
