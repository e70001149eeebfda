"""TensorBoard event files, written with the messages of the `tensorboard` package and without a framework."""

import platform
import time
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from stetho.errors import MissingPackage
from stetho.store.columns import Array
from stetho.store.format import HISTOGRAM_HIGHEST, HISTOGRAM_LOWEST

_POWERS = 2.0 ** np.arange(HISTOGRAM_LOWEST, HISTOGRAM_HIGHEST + 2)
BUCKET_EDGES = np.concatenate([-_POWERS[::-1], _POWERS])
"""Bucket `i` of a histogram lies between edge `i` and edge `i + 1`; the one in the middle holds the zeros."""


class EventsWriter:
    """One event file in a folder; each call adds one event of a step."""

    def __init__(self, folder: Path) -> None:
        try:
            from tensorboard.compat.proto.event_pb2 import Event
            from tensorboard.compat.proto.summary_pb2 import HistogramProto, Summary
            from tensorboard.summary.writer.record_writer import RecordWriter
        except ImportError:
            raise MissingPackage("tensorboard", "writing TensorBoard events", "tensorboard") from None
        self._event, self._summary, self._histogram = Event, Summary, HistogramProto
        folder.mkdir(parents=True, exist_ok=True)
        now = time.time()
        self.path = folder / f"events.out.tfevents.{int(now)}.{platform.node() or 'here'}.stetho"
        self._file = self.path.open("wb")
        self._records = RecordWriter(self._file)
        self._records.write(Event(wall_time=now, file_version="brain.Event:2").SerializeToString())

    def scalars(self, step: int, wall_time: float, values: Mapping[str, float]) -> None:
        """Add the numbers of a step, by tag."""
        summary = self._summary(
            value=[self._summary.Value(tag=tag, simple_value=value) for tag, value in values.items()]
        )
        self._write(step, wall_time, summary)

    def histogram(self, step: int, wall_time: float, tag: str, counts: Array) -> None:
        """Add one histogram with the buckets of the run format."""
        full = np.flatnonzero(counts)
        first, last = (int(full[0]), int(full[-1])) if len(full) else (0, 0)
        counts = counts[first : last + 1].astype(np.float64)
        lower, upper = BUCKET_EDGES[first : last + 1], BUCKET_EDGES[first + 1 : last + 2]
        # The values themselves are not kept; the geometric middle of a bucket stands for them.
        middle = np.sign(lower + upper) * np.sqrt(np.abs(lower * upper))
        message = self._histogram(
            min=float(lower[0]),
            max=float(upper[-1]),
            num=float(counts.sum()),
            sum=float((counts * middle).sum()),
            sum_squares=float((counts * middle**2).sum()),
            bucket_limit=upper.tolist(),
            bucket=counts.tolist(),
        )
        self._write(step, wall_time, self._summary(value=[self._summary.Value(tag=tag, histo=message)]))

    def flush(self) -> None:
        """Hand what was added to the operating system."""
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _write(self, step: int, wall_time: float, summary: object) -> None:
        self._records.write(self._event(step=step, wall_time=wall_time, summary=summary).SerializeToString())


def is_shown(value: object) -> bool:
    """Whether a recorded value is a number that a curve can show; NaN and infinity are shown by TensorBoard as marks.

    >>> is_shown(1.5), is_shown(None), is_shown("full"), is_shown(True)
    (True, False, False, False)
    """
    return isinstance(value, int | float) and not isinstance(value, bool)
