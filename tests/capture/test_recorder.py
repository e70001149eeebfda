"""The recorder: rows wait for their numbers in order, and the disk is touched only when there is something to say."""

import json
from threading import Thread

import numpy as np
import pytest

from stetho.capture.recorder import READY_ROWS, Recorder
from stetho.config import make_options
from stetho.store.format import HISTOGRAM_BUCKETS, MEASURES
from stetho.store.reader import open_run


class OnDevice:
    """A number that has to be fetched."""

    def __init__(self, value):
        self.value = value

    def item(self):
        raise AssertionError("one transfer for all, not one for each")


class Mirror:
    """Writes down what it is shown."""

    def __init__(self):
        self.seen = []

    def open(self, folder):
        self.seen.append(("open", folder))

    def row(self, table, row):
        self.seen.append((table, row["step"]))

    def stats(self, step, names, rows):
        self.seen.append((step, list(names), len(rows)))

    def histogram(self, step, name, counts):
        self.seen.append((step, name, int(counts.sum())))

    def close(self):
        self.seen.append("close")


@pytest.fixture
def fetched():
    return []


@pytest.fixture
def recorder(tmp_path, fetched):
    def fetch(numbers):
        fetched.append(len(numbers))
        return [number.value for number in numbers]

    return Recorder(make_options(out=tmp_path / "runs"), ["train.py"], fetch)


def closed(recorder):
    recorder.close({"exit": {"code": 0}})
    return open_run(recorder.path)


def stats_row(series):
    return [series, *([1.0] * len(MEASURES))]


def test_nothing_is_on_disk_before_something_is_recorded(recorder, tmp_path):
    recorder.flush()
    recorder.close({})
    assert recorder.path is None
    assert list(tmp_path.iterdir()) == []


def test_a_run_without_rows_can_be_wanted_all_the_same(recorder):
    recorder.close({"capture_error": "Traceback"}, even_if_empty=True)
    assert open_run(recorder.path).info["capture_error"] == "Traceback"


def test_the_run_is_named_after_the_program_or_as_asked(tmp_path, recorder):
    recorder.note("kind", "text")
    assert recorder.path.name.endswith("_train")
    named = Recorder(make_options(out=tmp_path, name="first-try"), ["train.py"], list)
    named.note("kind", "text")
    assert named.path.name.endswith("_first-try")


def test_finished_rows_are_written_at_once(recorder):
    recorder.row("metrics", {"step": 1, "name": "a", "value": 2.0})
    recorder.flush()
    assert open_run(recorder.path).table("metrics")["value"].to_pylist() == [2.0]


def test_rows_are_handed_over_together_and_in_order(recorder):
    for step in range(3 * READY_ROWS):
        recorder.row("metrics", {"step": step, "value": 1.0})
    # Another thread may ask for all of them at any time.
    asking = Thread(target=recorder.flush)
    asking.start()
    asking.join()
    assert open_run(recorder.path).table("metrics")["step"].to_pylist() == list(range(3 * READY_ROWS))


def test_the_first_row_makes_the_run(recorder):
    recorder.row("metrics", {"step": 1, "value": 1.0})
    assert recorder.path is not None


def test_rows_that_are_ready_come_before_those_that_waited_longer(recorder):
    recorder.note("kind", "text")
    recorder.row("metrics", {"step": 1, "value": 1.0})
    recorder.row("metrics", {"step": 2, "value": OnDevice(2.0)})
    recorder.settle()
    assert closed(recorder).table("metrics")["step"].to_pylist() == [1, 2]


def test_a_forked_child_hands_nothing_over(recorder):
    recorder.note("kind", "text")
    recorder.row("metrics", {"step": 1, "value": 1.0})
    path = recorder.path
    recorder.abandon()
    recorder.close({})
    assert open_run(path).table("metrics").num_rows == 0


def test_rows_with_numbers_on_a_device_wait_and_keep_their_order(recorder, fetched):
    recorder.row("metrics", {"step": 1, "value": OnDevice(1.0)})
    recorder.row("metrics", {"step": 2, "value": 2.0})
    recorder.row("metrics", {"step": 3, "value": OnDevice(3.0)})
    assert recorder.path is None
    recorder.settle()
    recorder.row("metrics", {"step": 4, "value": 4.0})
    assert fetched == [2]
    assert closed(recorder).table("metrics")["value"].to_pylist() == [1.0, 2.0, 3.0, 4.0]


def test_closing_fetches_what_still_waits(recorder, fetched):
    recorder.note("kind", "text")
    recorder.row("metrics", {"step": 1, "value": OnDevice(5.0)})
    assert closed(recorder).table("metrics")["value"].to_pylist() == [5.0]
    assert fetched == [1]


def test_without_waiting_numbers_nothing_is_fetched(recorder, fetched):
    recorder.row("metrics", {"step": 1, "value": 1.0})
    recorder.settle()
    assert fetched == []


def test_after_an_error_what_waits_is_dropped(recorder, fetched):
    recorder.note("kind", "text")
    recorder.row("metrics", {"step": 1, "value": OnDevice(5.0)})
    recorder.release()
    assert closed(recorder).table("metrics").num_rows == 0
    assert fetched == []


def test_a_series_keeps_its_id_and_each_has_its_own(recorder):
    first = recorder.series(0, "fc", "act", "train")
    others = [
        recorder.series(*key)
        for key in [(0, "fc", "act", "eval"), (1, "fc", "act", "train"), (0, "fc", "grad", "train")]
    ]
    assert recorder.series(0, "fc", "act", "train") == first
    assert len({first, *others}) == 4
    recorder.stats(1, np.array([stats_row(one) for one in (first, *others)]))
    run = closed(recorder)
    assert [one.id for one in run.series] == [first, *others]
    assert (run.series[1].model, run.series[1].name, run.series[1].phase) == (0, "fc", "eval")
    assert run.table("stats").num_rows == 4


def test_stats_wait_for_others_as_rows_do_and_none_is_lost(recorder, monkeypatch):
    series = recorder.series(0, "fc", "act", "train")
    taken = []
    take = recorder.writer.take
    monkeypatch.setattr(recorder.writer, "take", lambda arrived: (taken.append(arrived[0]), take(arrived)))
    for step in range(1, 6):
        recorder.stats(step, np.array([stats_row(series)]))
        recorder.row("steps", {"step": step})
    assert taken == []
    recorder.flush()
    assert taken == [1, "steps", 2, "steps", 3, "steps", 4, "steps", 5, "steps"]
    run = closed(recorder)
    assert run.table("stats")["step"].to_pylist() == run.table("steps")["step"].to_pylist() == [1, 2, 3, 4, 5]


def test_histograms_are_stored_under_their_series(recorder):
    series = recorder.series(0, "fc", "act", "train")
    counts = np.zeros(HISTOGRAM_BUCKETS, np.int32)
    counts[3] = 7
    recorder.histogram(1, series, counts)
    (row,) = closed(recorder).table("histograms").to_pylist()
    assert (row["name"], row["counts"]) == ("fc", counts.tolist())


def test_the_same_thing_is_said_once(recorder):
    recorder.note("unseen", "a thing", detail=1)
    recorder.note("unseen", "a thing", detail=2)
    recorder.note("unseen", "another thing")
    assert [note["text"] for note in closed(recorder).notes] == ["a thing", "another thing"]


def test_the_ending_is_written(recorder):
    recorder.note("kind", "text")
    recorder.close({"steps": 3})
    assert json.loads((recorder.path / "run.json").read_text())["steps"] == 3


def test_a_forked_child_forgets_without_touching_the_files(recorder):
    recorder.row("metrics", {"step": 1, "value": 1.0})
    recorder.row("metrics", {"step": 2, "value": OnDevice(2.0)})
    path = recorder.path
    recorder.abandon()
    recorder.close({"steps": 99})
    assert recorder.path is None
    assert "steps" not in json.loads((path / "run.json").read_text())


def test_a_mirror_is_shown_everything(recorder):
    mirror = recorder.mirror = Mirror()
    root, layer = recorder.series(0, "", "act", "train"), recorder.series(1, "fc", "act", "train")
    recorder.row("steps", {"step": 1})
    recorder.stats(1, np.array([stats_row(layer), stats_row(root)]))
    recorder.histogram(2, root, np.ones(HISTOGRAM_BUCKETS, np.int32))
    recorder.close({})
    assert mirror.seen == [
        ("open", recorder.path),
        ("steps", 1),
        (1, ["act/fc (model 1)", "act/(root)"], 2),
        (2, "act/(root)", HISTOGRAM_BUCKETS),
        "close",
    ]


def test_time_is_counted_from_the_beginning(recorder):
    recorder.started -= 100
    assert recorder.clock() == pytest.approx(100, abs=50)
