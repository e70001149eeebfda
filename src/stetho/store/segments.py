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
from stetho.store.columns import gather, to_numpy
from stetho.store.files import put_in_place
from stetho.store.format import FIRST_STEP, LAST_STEP, OFFSETS

_NAME = re.compile(r"(\d{12,})-(\d{12,})\.arrow")

Offsets = dict[int, tuple[int, int]]
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
    offsets: Offsets


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
        sorted_series = to_numpy(rows.column("series"))
        metadata[OFFSETS] = json.dumps(_offsets(sorted_series), separators=(",", ":"))
    rows = rows.replace_schema_metadata(metadata)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, rows.schema) as file:
        file.write_batch(rows)
    put_in_place(folder / span.file, sink.getvalue())


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
    except (OSError, ValueError, KeyError, TypeError, pa.ArrowException) as error:
        raise RunDamaged(f"{path}: not a readable segment ({_first_line(error)}); copy the run again") from error
    return segment


def _describe(span: Span, rows: pa.RecordBatch) -> Segment:
    if rows.num_rows != span.end - span.first:
        raise ValueError(f"{rows.num_rows} rows where its name says {span.end - span.first}")
    metadata = rows.schema.metadata or {}
    if rows.column("step").null_count:
        raise ValueError("a row without a step")
    offsets: Offsets = {}
    if "series" in rows.schema.names:
        offsets = {int(series): (int(at), int(count)) for series, (at, count) in json.loads(metadata[OFFSETS]).items()}
        _verify(offsets, rows.column("series"))
    return Segment(span, rows, int(metadata[FIRST_STEP]), int(metadata[LAST_STEP]), offsets)


def _verify(offsets: Offsets, series: pa.Array) -> None:
    if series.null_count:
        raise ValueError("a row without a series")
    numbers = np.array(list(offsets), np.int64)
    firsts, counts = np.array(list(offsets.values()), np.int64).reshape(-1, 2).T
    ends = np.cumsum(counts)
    ids = to_numpy(series)
    if bool((counts < 1).any()) or not np.array_equal(firsts, ends - counts) or int(counts.sum()) != len(ids):
        raise ValueError("the offsets of its series do not follow each other from its first row to its last")
    if not (np.array_equal(ids[firsts], numbers) and np.array_equal(ids[ends - 1], numbers)):
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


def _offsets(series: npt.NDArray[np.int32]) -> dict[str, list[int]]:
    starts = np.concatenate(([0], np.flatnonzero(series[1:] != series[:-1]) + 1))
    counts = np.diff(starts, append=len(series))
    triples = zip(series[starts].tolist(), starts.tolist(), counts.tolist(), strict=True)
    return {str(number): [start, count] for number, start, count in triples}


def _first_line(error: BaseException) -> str:
    return str(error).strip().split("\n", 1)[0] or type(error).__name__
