"""Hands a run to other tools: CSV, parquet or TensorBoard events, in a folder that appears whole or not at all."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import pyarrow as pa

from stetho.errors import UsageError
from stetho.records import Series
from stetho.store.documents import encode
from stetho.store.events import EventsWriter, is_shown
from stetho.store.flat import flat
from stetho.store.format import TABLES
from stetho.store.reader import Run
from stetho.store.series_names import series_table

MARKER = "export.json"
"""Tells an export from any other folder, which is never overwritten."""

SHOWN_MEASURES = ("mean", "std", "rms", "absmax")
"""The measures of a tensor that become TensorBoard curves; `ratio` is one for updates."""


def export_run(run: Run, format: str, target: Path, *, force: bool = False) -> None:
    """Write the whole run into the new folder `target`; with `force` an earlier export there is replaced."""
    with _new_folder(target, force) as folder:
        _FORMATS[format](run, folder)
        (folder / MARKER).write_bytes(encode({"run": run.name, "format": format}, indent=1))


def _write_csv(run: Run, folder: Path) -> None:
    from pyarrow import csv

    for name, batches in _tables(run):
        first = flat(next(batches))
        with csv.CSVWriter(str(folder / f"{name}.csv"), first.schema) as file:
            file.write(first)
            for batch in batches:
                file.write(flat(batch))


def _write_parquet(run: Run, folder: Path) -> None:
    from pyarrow import parquet

    for name, batches in _tables(run):
        first = next(batches)
        with parquet.ParquetWriter(str(folder / f"{name}.parquet"), first.schema, compression="zstd") as file:
            file.write_batch(first)
            for batch in batches:
                file.write_batch(batch)


def _write_events(run: Run, folder: Path) -> None:
    writer = EventsWriter(folder)
    times = _wall_times(run)
    try:
        for row in run.table("steps").to_pylist():
            values = {f"step/{key}": value for key, value in row.items() if key != "step" and is_shown(value)}
            writer.scalars(row["step"], times(row["step"]), values)
        for row in run.table("metrics").to_pylist():
            if is_shown(row["value"]):
                tag = f"{row['phase'] or 'user'}/{row['name']}"
                writer.scalars(row["step"], times(row["step"]), {tag: row["value"]})
        _write_stats(run, writer, times)
        tags = {one.id: f"histogram.{tag_of(one)}" for one in run.series}
        for batch in run.rows("histograms").batches():
            for row in zip(*(batch.column(index) for index in range(3)), strict=True):
                step, series, counts = row[0].as_py(), row[1].as_py(), row[2].values
                writer.histogram(step, times(step), tags[series], counts.to_numpy())
    finally:
        writer.close()


def _write_stats(run: Run, writer: EventsWriter, times: Callable[[int], float]) -> None:
    series = {one.id: one for one in run.series}
    columns = ["step", "series", *SHOWN_MEASURES, "ratio"]
    for batch in run.rows("stats").batches():
        rows = batch.select(columns).to_pylist()
        for step, group in groupby(sorted(rows, key=itemgetter("step")), itemgetter("step")):
            writer.scalars(step, times(step), dict(_curves(group, series)))


def _curves(rows: Iterator[dict[str, Any]], series: dict[int, Series]) -> Iterator[tuple[str, float]]:
    for row in rows:
        one = series[row["series"]]
        for measure in (*SHOWN_MEASURES, *(("ratio",) if one.role == "update" else ())):
            if is_shown(row[measure]):
                yield tag_of(one, measure), row[measure]


def tag_of(series: Series, measure: str | None = None) -> str:
    """The TensorBoard tag of a series: curves of one stat stand together.

    >>> tag_of(Series(0, 0, "fc", "act", "train"), "rms"), tag_of(Series(1, 2, "fc", "act", "eval"), "rms")
    ('act.rms/fc', 'model2.eval.act.rms/fc')
    """
    model = f"model{series.model}." if series.model else ""
    phase = f"{series.phase}." if series.phase != "train" else ""
    return f"{model}{phase}{series.role}{f'.{measure}' if measure else ''}/{series.name}"


def _wall_times(run: Run) -> Callable[[int], float]:
    try:
        began = datetime.fromisoformat(str(run.info.get("started"))).timestamp()
    except ValueError:
        began = 0.0
    table = run.table("steps")
    seconds = dict(zip(table["step"].to_pylist(), table["time"].to_pylist(), strict=True))
    return lambda step: began + (seconds.get(step) or 0.0)


def _tables(run: Run) -> Iterator[tuple[str, Iterator[pa.RecordBatch]]]:
    yield "series", iter(series_table(run.series).combine_chunks().to_batches() or [_empty(series_table([]).schema)])
    for name in TABLES:
        batches = run.batches(name)
        first = next(batches, None)
        if first is not None:
            yield name, _chain(first, batches)


def _chain(first: pa.RecordBatch, rest: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    yield first
    yield from rest


def _empty(schema: pa.Schema) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays([pa.nulls(0, field.type) for field in schema], schema=schema)


_FORMATS: dict[str, Callable[[Run, Path], None]] = {
    "csv": _write_csv,
    "parquet": _write_parquet,
    "tensorboard": _write_events,
}

FORMATS = tuple(_FORMATS)


@contextmanager
def _new_folder(target: Path, force: bool) -> Iterator[Path]:
    """A folder beside the target, which takes the target's name when the block ends well."""
    _check_free(target, force)
    fresh, replaced = (target.with_name(f".{target.name}.{word}-{os.getpid()}") for word in ("new", "old"))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        fresh.mkdir()
        yield fresh
        if target.exists():
            target.rename(replaced)
        fresh.rename(target)
    except OSError as error:
        raise UsageError(f"{target}: cannot be written ({error.strerror or error}); give another --out") from error
    finally:
        for leftover in (fresh, replaced):
            shutil.rmtree(leftover, ignore_errors=True)


def _check_free(target: Path, force: bool) -> None:
    if not target.exists():
        return
    if not force:
        raise UsageError(f"{target}: is there already; give --force to replace it, or another --out")
    if not target.is_dir() or (any(target.iterdir()) and not (target / MARKER).exists()):
        raise UsageError(f"{target}: is no earlier export, so --force does not replace it; give another --out")
