"""Makes a window out of a recorded run, also of one that is still being written. Imports no framework."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from stetho.checks.run.model_file import facts_of
from stetho.checks.run.series import Array, Series
from stetho.checks.run.table import Table
from stetho.checks.window import SeriesKey, Window
from stetho.store.columns import to_numpy, to_numpy_with_nan
from stetho.store.format import HISTOGRAM_BUCKETS, MEASURES, TABLES
from stetho.store.reader import Run


def read_window(run: Run) -> Window:
    """The whole run; tables are read now, columns and series when a check asks for them."""
    ids: dict[SeriesKey, int] = {(one.model, one.name, one.role, one.phase): one.id for one in run.series}
    stats, histograms = run.rows("stats"), run.rows("histograms")

    def read(key: SeriesKey, measure: str) -> Series | None:
        if measure not in MEASURES:
            raise KeyError(f"no measure {measure!r}; measures: {', '.join(MEASURES)}")
        steps, values = stats.of_series(ids[key], measure)
        return Series(steps, values.astype(np.float64)) if len(steps) else None

    def read_histogram(key: SeriesKey) -> Series | None:
        return _histogram(histograms.batches(), ids[key])

    return Window(
        replace(facts_of(run.model, run.notes, run.info), is_running=run.state == "running"),
        steps=_with_loss_seen(run.rows("steps").batches()),
        batches=_table("batches", run.rows("batches").batches()),
        metrics=_table("metrics", run.rows("metrics").batches()),
        series=frozenset(ids),
        read=read,
        read_histogram=read_histogram,
    )


def _table(name: str, batches: Sequence[pa.RecordBatch]) -> Table:
    def column(number: int, type_: pa.DataType) -> Callable[[], Array]:
        return lambda: _joined([_array(batch.column(number), type_) for batch in batches], type_)

    columns = {field.name: column(number, field.type) for number, field in enumerate(TABLES[name])}
    # Every row has a step, and steps are counted with.
    columns["step"] = lambda: np.concatenate([*(to_numpy(each.column("step")) for each in batches), np.empty(0, int)])
    return Table(sum(batch.num_rows for batch in batches), columns)


def _with_loss_seen(batches: Sequence[pa.RecordBatch]) -> Table:
    """The steps, and beside the loss whether there was one: a loss that is NaN is not a loss that is missing."""
    table = _table("steps", batches)

    def seen() -> Array:
        valid = [batch.column("loss").is_valid().to_numpy(zero_copy_only=False) for batch in batches]
        return np.concatenate([*valid, np.empty(0, bool)]).astype(np.float64)

    return table.with_column("loss_seen", seen)


def _array(column: pa.Array, type_: pa.DataType) -> Array:
    if pa.types.is_boolean(type_):
        return np.array([np.nan if value is None else float(value) for value in column.to_pylist()], np.float64)
    if pa.types.is_integer(type_) or pa.types.is_floating(type_):
        return to_numpy_with_nan(column).astype(np.float64)
    return _objects([np.array(each) if isinstance(each, list) else each for each in column.to_pylist()])


def _joined(parts: list[Array], type_: pa.DataType) -> Array:
    is_number = pa.types.is_boolean(type_) or pa.types.is_integer(type_) or pa.types.is_floating(type_)
    return np.concatenate([*parts, np.empty(0, np.float64 if is_number else object)])


def _objects(values: list[Any]) -> Array:
    array = np.empty(len(values), object)
    for place, value in enumerate(values):
        array[place] = value
    return array


def _histogram(batches: Sequence[pa.RecordBatch], series: int) -> Series | None:
    steps, counts = [], []
    for batch in batches:
        here = to_numpy(batch.column("series")) == series
        if here.any():
            column = batch.column("counts")
            rows = to_numpy(column.flatten()).reshape(-1, HISTOGRAM_BUCKETS)
            steps.append(to_numpy(batch.column("step"))[here])
            counts.append(rows[here])
    if not steps:
        return None
    order = np.argsort(np.concatenate(steps), kind="stable")
    return Series(np.concatenate(steps)[order], np.concatenate(counts)[order])
