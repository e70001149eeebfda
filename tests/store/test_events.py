"""Event files say what was written, in TensorBoard's own words."""

import sys
from pathlib import Path

import numpy as np
import pytest
from tensorboard.backend.event_processing.event_file_loader import RawEventFileLoader
from tensorboard.compat.proto.event_pb2 import Event

from stetho.errors import MissingPackage
from stetho.store.events import BUCKET_EDGES, EventsWriter
from stetho.store.format import HISTOGRAM_BUCKETS


def events_in(writer: EventsWriter) -> list[Event]:
    return [Event.FromString(record) for record in RawEventFileLoader(str(writer.path)).Load()]


def test_scalars_come_back(tmp_path: Path) -> None:
    writer = EventsWriter(tmp_path / "events")
    writer.scalars(3, 12.5, {"step/loss": 0.5, "step/lr": 0.25})
    writer.close()
    version, event = events_in(writer)
    assert version.file_version == "brain.Event:2"
    assert (event.step, event.wall_time) == (3, 12.5)
    assert {value.tag: value.simple_value for value in event.summary.value} == {"step/loss": 0.5, "step/lr": 0.25}


def test_what_was_flushed_is_there_before_closing(tmp_path: Path) -> None:
    writer = EventsWriter(tmp_path)
    writer.scalars(1, 0.0, {"a": 1.0})
    writer.flush()
    assert len(events_in(writer)) == 2
    writer.close()


def test_a_histogram_keeps_its_counts_and_their_places(tmp_path: Path) -> None:
    counts = np.zeros(HISTOGRAM_BUCKETS, np.int64)
    counts[128] = 4  # zeros
    counts[128 + 1 + 64] = 3  # from 1 to 2
    counts[128 - 1 - 63] = 2  # from -1 to -1/2
    writer = EventsWriter(tmp_path)
    writer.histogram(1, 0.0, "act/fc", counts)
    writer.close()
    histogram = events_in(writer)[1].summary.value[0].histo
    assert (histogram.num, histogram.min, histogram.max) == (9, -1, 2)
    found = {limit: count for limit, count in zip(histogram.bucket_limit, histogram.bucket, strict=True) if count}
    assert found == {-0.5: 2, 2**-64: 4, 2: 3}
    assert histogram.sum == pytest.approx(3 * 2**0.5 - 2 * 0.5**0.5)


def test_a_histogram_of_nothing_is_empty(tmp_path: Path) -> None:
    writer = EventsWriter(tmp_path)
    writer.histogram(1, 0.0, "act/fc", np.zeros(HISTOGRAM_BUCKETS, np.int64))
    writer.close()
    assert events_in(writer)[1].summary.value[0].histo.num == 0


def test_edges_ascend_around_every_bucket() -> None:
    assert len(BUCKET_EDGES) == HISTOGRAM_BUCKETS + 1
    assert (np.diff(BUCKET_EDGES) > 0).all()


def test_without_the_package_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tensorboard.compat.proto.event_pb2", None)
    with pytest.raises(MissingPackage, match=r"pip install 'stetho\[tensorboard\]'"):
        EventsWriter(tmp_path / "events")
    assert not (tmp_path / "events").exists()
