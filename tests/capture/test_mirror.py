"""TensorBoard beside the run: the same numbers under readable tags."""

import numpy as np
import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from stetho.capture.mirror import EventMirror
from stetho.store.format import EVENTS_FOLDER, HISTOGRAM_BUCKETS, MEASURES


@pytest.fixture
def mirror(tmp_path):
    made = EventMirror()
    made.open(tmp_path)
    return made


@pytest.fixture
def read(tmp_path, mirror):
    """Close the mirror and read everything back."""

    def read():
        mirror.close()
        events = EventAccumulator(str(tmp_path / EVENTS_FOLDER), size_guidance={"scalars": 0, "histograms": 0})
        events.Reload()
        return events

    return read


def scalars(events, tag):
    return [(event.step, event.value) for event in events.Scalars(tag)]


def test_steps_become_curves(mirror, read):
    mirror.row("steps", {"step": 1, "loss": 0.5, "lr": 0.25, "tier": "full", "accuracy": None, "skipped": False})
    mirror.row("steps", {"step": 2, "loss": 0.25, "lr": 0.25})
    events = read()
    assert scalars(events, "step/loss") == [(1, 0.5), (2, 0.25)]
    assert set(events.Tags()["scalars"]) == {"step/loss", "step/lr"}


def test_metrics_are_shown_by_phase_and_name(mirror, read):
    mirror.row("metrics", {"step": 3, "phase": "eval", "name": "accuracy", "value": 0.75})
    mirror.row("metrics", {"step": 3, "phase": "user", "name": "mine", "value": 2.0})
    events = read()
    assert scalars(events, "eval/accuracy") == [(3, 0.75)]
    assert scalars(events, "user/mine") == [(3, 2.0)]


def test_stats_are_shown_by_role_measure_and_name(mirror, read):
    row = dict.fromkeys(MEASURES, 1.0) | {"rms": 4.0, "ratio": 0.5}
    mirror.stats(5, ["act/encoder.0"], np.array([[0.0, *row.values()]]))
    events = read()
    assert scalars(events, "act.rms/encoder.0") == [(5, 4.0)]
    assert scalars(events, "act.ratio/encoder.0") == [(5, 0.5)]
    assert "act.count/encoder.0" not in events.Tags()["scalars"]


def test_histograms_are_shown(mirror, read):
    counts = np.zeros(HISTOGRAM_BUCKETS, np.int32)
    counts[HISTOGRAM_BUCKETS // 2] = 3
    mirror.histogram(2, "act/fc", counts)
    (event,) = read().Histograms("act/fc")
    assert (event.step, event.histogram_value.num) == (2, 3)


@pytest.mark.parametrize("table", ["batches", "memory"])
def test_other_tables_are_not_shown(mirror, read, table):
    mirror.row(table, {"step": 1, "loss": 1.0, "rss": 1})
    assert read().Tags()["scalars"] == []


def test_before_the_run_has_a_folder_nothing_happens(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    mirror = EventMirror()
    mirror.row("steps", {"step": 1, "loss": 0.5})
    mirror.histogram(1, "act/fc", np.zeros(HISTOGRAM_BUCKETS))
    mirror.close()
    assert list(tmp_path.iterdir()) == []
