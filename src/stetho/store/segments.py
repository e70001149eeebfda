"""Sealed segments: immutable Arrow IPC files, named by the rows they hold, sorted by series and then step."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from stetho.errors import RunDamaged
from stetho.store.columns import Array, gather, to_numpy
from stetho.store.files import put_in_place
from stetho.store.format import FIRST_STEP, LAST_STEP, OFFSETS, SERIES_IDS

_NAME = re.compile(r"(\d{12,})-(\d{12,})\.arrow")

Fit = Callable[[pa.RecordBatch], pa.RecordBatch]


@dataclass(frozen=True, slots=True)
class Span:
    """The rows of a table that one segment holds: `first` up to and without `end`, counted in the order of recording.

    >>> Span(0, 131072).file
    '000000000000-000000131072.arrow'
    """

    first: int
    end: int

    @property
    def file(self) -> str:
        return f"{self.first:012d}-{self.end:012d}.arrow"


@dataclass(frozen=True, slots=True)
class Segment:
    """An opened segment: one record batch over the mapped file, and where each series lies in it."""

    span: Span
    rows: pa.RecordBatch
    first_step: int
    last_step: int
    series: Array
    offsets: Array

    def of_series(self, series: int) -> pa.RecordBatch | None:
        """The rows of one series, without a copy."""
        place = int(np.searchsorted(self.series, series))
        if place == len(self.series) or self.series[place] != series:
            return None
        first, end = self.offsets[place : place + 2].tolist()
        return self.rows.slice(first, end - first)


def list_spans(folder: Path) -> list[Span]:
    """The segments of a table in order, without those that a merged neighbour has replaced."""
    try:
        names = [match for path in folder.iterdir() if (match := _NAME.fullmatch(path.name))]
    except FileNotFoundError:
        return []
    found = sorted((Span(int(name[1]), int(name[2])) for name in names), key=lambda span: (span.first, -span.end))
    spans: list[Span] = []
    for span in found:
        end = spans[-1].end if spans else 0
        if span.end <= end:
            continue
        if span.first != end or span.end <= span.first:
            raise RunDamaged(
                f"{folder / span.file}: begins at row {span.first} where row {end} is next; "
                "segments follow each other without gap or overlap; a file was removed, renamed or added"
            )
        spans.append(span)
    return spans


def write_segment(folder: Path, span: Span, rows: pa.RecordBatch) -> None:
    """Sort `rows`, note where each series lies, and put the segment in place."""
    step = to_numpy(rows.column("step"))
    series = to_numpy(rows.column("series")) if "series" in rows.schema.names else None
    order = _order(step, series)
    if order is not None:
        rows = gather(rows, order)
    metadata = {FIRST_STEP: str(step.min()), LAST_STEP: str(step.max())}
    if series is not None:
        ids = to_numpy(rows.column("series"))
        firsts = np.concatenate(([0], np.flatnonzero(ids[1:] != ids[:-1]) + 1))
        metadata[SERIES_IDS] = json.dumps(ids[firsts].tolist())
        metadata[OFFSETS] = json.dumps([*firsts.tolist(), len(ids)])
    put_in_place(folder / span.file, _as_file(rows.replace_schema_metadata(metadata)))


def _as_file(rows: pa.RecordBatch) -> pa.Buffer:
    # Measured first, so that the megabytes are copied once and not at every growth of a buffer.
    size = pa.MockOutputStream()
    _write_file(size, rows)
    buffer = pa.allocate_buffer(size.size())
    _write_file(pa.FixedSizeBufferWriter(buffer), rows)
    return buffer


def _write_file(sink: pa.NativeFile, rows: pa.RecordBatch) -> None:
    with pa.ipc.new_file(sink, rows.schema) as file:
        file.write_batch(rows)


def open_segment(folder: Path, span: Span, fit: Fit | None = None) -> Segment:
    """Map a segment; FileNotFoundError when it was merged away meanwhile, RunDamaged when it is not what it says."""
    path = folder / span.file
    try:
        # Leaving the block closes the descriptor and keeps the mapping, so a long run does not use up the open files.
        with pa.memory_map(str(path)) as file:
            mapped = file.read_buffer()
        # A buffer is read in this thread; a file would be read by a pool of threads.
        reader = pa.ipc.open_file(mapped)
        if reader.num_record_batches != 1:
            raise RunDamaged(f"{path}: holds {reader.num_record_batches} record batches; a segment holds one")
        rows = reader.get_batch(0)
        rows.validate(full=True)
        segment = _describe(span, fit(rows) if fit else rows)
    except FileNotFoundError:
        raise
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError, pa.ArrowException) as error:
        raise RunDamaged(f"{path}: not a readable segment ({_first_line(error)}); copy the run again") from error
    return segment


def _describe(span: Span, rows: pa.RecordBatch) -> Segment:
    if rows.num_rows != span.end - span.first:
        raise ValueError(f"{rows.num_rows} rows where its name says {span.end - span.first}")
    metadata = rows.schema.metadata or {}
    if rows.column("step").null_count:
        raise ValueError("a row without a step")
    series = offsets = np.empty(0, np.int64)
    if "series" in rows.schema.names:
        series, offsets = (np.array(json.loads(metadata[key]), np.int64) for key in (SERIES_IDS, OFFSETS))
        _verify(series, offsets, rows.column("series"))
    return Segment(span, rows, int(metadata[FIRST_STEP]), int(metadata[LAST_STEP]), series, offsets)


def _verify(series: Array, offsets: Array, column: pa.Array) -> None:
    if column.null_count:
        raise ValueError("a row without a series")
    if series.ndim != 1 or offsets.shape != (len(series) + 1,) or offsets[0] != 0 or offsets[-1] != len(column):
        raise ValueError("the offsets of its series do not go from its first row to its last")
    if bool((np.diff(series) <= 0).any()) or bool((np.diff(offsets) <= 0).any()):
        raise ValueError("its series or their offsets do not ascend")
    ids = to_numpy(column)
    if not (np.array_equal(ids[offsets[:-1]], series) and np.array_equal(ids[offsets[1:] - 1], series)):
        raise ValueError("the offsets of its series point to rows of other series")


def _order(step: npt.NDArray[np.int32], series: npt.NDArray[np.int32] | None) -> npt.NDArray[np.intp] | None:
    """The order that sorts by series, then step; None when the rows are in order already."""
    by_step = None if bool((step[1:] >= step[:-1]).all()) else np.argsort(_narrow(step), kind="stable")
    if series is None:
        return by_step
    keys = _narrow(series)
    if by_step is None:
        return np.argsort(keys, kind="stable")
    return by_step[np.argsort(keys[by_step], kind="stable")]


def _narrow(values: npt.NDArray[np.int32]) -> npt.NDArray[np.integer]:
    # numpy sorts 16-bit integers by radix, several times faster than wider ones.
    lowest = int(values.min())
    if int(values.max()) - lowest < 1 << 16:
        return (values.astype(np.int64) - lowest).astype(np.uint16)
    return values


def _first_line(error: BaseException) -> str:
    return str(error).strip().split("\n", 1)[0] or type(error).__name__
