"""A window out of a run on disk: sealed, still in the tail, or empty."""

from pathlib import Path

import numpy as np
import pytest

from stetho.checks.run.reading import read_window
from stetho.records import Series
from stetho.store.format import HISTOGRAM_BUCKETS, MEASURES
from stetho.store.reader import Run
from stetho.store.writer import RunWriter


def write(writer: RunWriter, steps: range) -> None:
    for step in steps:
        loss = {"loss": float("nan")} if step == 2 else {} if step == 3 else {"loss": 1.0 / step}
        writer.append("steps", {"step": step, "order": "forward step", "skipped": step == 2, "lrs": [0.1], **loss})
        row = [0.0, *(float(step * 10 + place) for place in range(len(MEASURES)))]
        writer.append_stats(step, np.array([row]))
        writer.append("batches", {"step": step, "phase": "train" if step % 2 else "eval", "samples": [step, 1 << 62]})
    writer.append_histogram(1, 0, np.arange(HISTOGRAM_BUCKETS))
    writer.append("metrics", {"step": 4, "phase": "eval", "name": "accuracy", "value": 0.5})
    writer.flush()


@pytest.fixture
def writer(tmp_path: Path) -> RunWriter:
    writer = RunWriter.create(tmp_path, "train", {})
    writer.define(Series(0, 0, "fc", "act", "train"))
    return writer


def test_a_running_run_is_read_from_its_tail(writer: RunWriter) -> None:
    write(writer, range(1, 5))
    window = read_window(Run(writer.path))
    assert window.is_running
    assert window.count == 4
    assert window.steps["step"].tolist() == [1, 2, 3, 4]
    assert np.issubdtype(window.steps["step"].dtype, np.integer)


@pytest.mark.parametrize("is_closed", [False, True])
def test_numbers_are_the_same_in_tail_and_segments(writer: RunWriter, is_closed: bool) -> None:
    write(writer, range(1, 5))
    if is_closed:
        writer.close({})
    window = read_window(Run(writer.path))
    stat = window.layer_stat("act.rms", "fc")
    assert stat is not None
    assert (stat.steps.tolist(), stat.values.tolist()) == ([1, 2, 3, 4], [19.0, 29.0, 39.0, 49.0])
    assert window.steps["skipped"].tolist() == [0.0, 1.0, 0.0, 0.0]
    assert window.steps["lrs"][0].tolist() == [0.1]
    assert np.isnan(window.steps["grad_norm"]).all()
    assert window.orders[0] == ["forward", "step"]


def test_nan_is_seen_and_null_is_not(writer: RunWriter) -> None:
    write(writer, range(1, 5))
    losses = read_window(Run(writer.path)).loss_series()
    assert losses.steps.tolist() == [1, 2, 4]
    assert np.isnan(losses.values[1])


def test_batches_metrics_and_histograms_are_there(writer: RunWriter) -> None:
    write(writer, range(1, 5))
    writer.close({})
    window = read_window(Run(writer.path))
    assert window.batches("eval")["step"].tolist() == [2, 4]
    assert window.batches()["samples"][0].tolist() == [1, 1 << 62]
    assert window.batches()["feature_mean"].tolist() == [None, None]
    metric, histogram = window.metric("accuracy"), window.histogram("act", "fc")
    assert metric is not None
    assert histogram is not None
    assert metric.last == 0.5
    assert histogram.values.shape == (1, HISTOGRAM_BUCKETS)
    assert histogram.values[0, 5] == 5


def test_an_empty_run_is_an_empty_window(writer: RunWriter) -> None:
    writer.close({})
    window = read_window(Run(writer.path))
    assert (window.count, len(window.loss_series()), window.batches().count, window.layers) == (0, 0, 0, ())
    assert not window.is_running


def test_an_unknown_measure_is_an_error(writer: RunWriter) -> None:
    write(writer, range(1, 5))
    with pytest.raises(KeyError, match="no measure 'rmss'"):
        read_window(Run(writer.path)).layer_stat("act.rmss", "fc")
