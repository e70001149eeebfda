"""One table on disk as a reader sees it: segments and tail at one moment, also while a program writes them."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa

from stetho.errors import RunDamaged
from stetho.store.columns import Array, gather, to_numpy, to_numpy_with_nan
from stetho.store.format import TABLES
from stetho.store.migrations import Migration
from stetho.store.segments import Segment, Span, list_spans, open_segment
from stetho.store.tail import read_tail

_ATTEMPTS = 3
_PAUSE = 0.001


@dataclass(frozen=True, slots=True)
class Rows:
    """All rows of a table at one moment."""

    segments: list[Segment] = field(default_factory=list)
    tail: list[pa.RecordBatch] = field(default_factory=list)

    def batches(self) -> list[pa.RecordBatch]:
        return [*(segment.rows for segment in self.segments), *self.tail]

    def of_series(self, series: int, column: str) -> tuple[Array, Array]:
        """Steps and values of one series; a zero-copy slice of each segment, joined when there are several."""
        parts = [*self._sealed(series, column), *self._open(series, column)]
        if not parts:
            return np.empty(0, np.int32), np.empty(0, np.float32)
        if len(parts) == 1:
            return parts[0]
        steps, values = (np.concatenate(part) for part in zip(*parts, strict=True))
        if bool((steps[1:] >= steps[:-1]).all()):
            return steps, values
        order = np.argsort(steps, kind="stable")
        return steps[order], values[order]

    def of_steps(self, first: int, last: int) -> list[pa.RecordBatch]:
        """The rows of the steps from `first` to `last`, in as many record batches as hold some."""
        near = [segment.rows for segment in self.segments if segment.first_step <= last and first <= segment.last_step]
        found = []
        for rows in (*near, *self.tail):
            steps = to_numpy(rows.column("step"))
            places = np.flatnonzero((first <= steps) & (steps <= last))
            if len(places):
                found.append(gather(rows, places))
        return found

    def _sealed(self, series: int, column: str) -> Iterator[tuple[Array, Array]]:
        for segment in self.segments:
            part = segment.of_series(series)
            if part is not None:
                yield to_numpy(part.column("step")), to_numpy_with_nan(part.column(column))

    def _open(self, series: int, column: str) -> Iterator[tuple[Array, Array]]:
        for rows in self.tail:
            here = to_numpy(rows.column("series")) == series
            if here.any():
                yield to_numpy(rows.column("step"))[here], to_numpy_with_nan(rows.column(column))[here]


class TableReader:
    """Finds the rows of a table; segments that are open already stay open when it looks again."""

    def __init__(self, folder: Path, name: str, migrations: list[Migration]) -> None:
        self._folder = folder
        self._name = name
        self._migrations = migrations
        self._open: dict[Span, Segment] = {}

    def read(self) -> Rows:
        """The rows at this moment."""
        for _ in range(_ATTEMPTS):
            try:
                return self._look()
            except (FileNotFoundError, RunDamaged) as error:
                # A writer that merges segments while we look makes them vanish from under us; damage stays.
                problem = error
                time.sleep(_PAUSE)
        if isinstance(problem, RunDamaged):
            raise problem
        raise RunDamaged(f"{problem.filename}: was there and is gone; the run is being moved or deleted")

    def _look(self) -> Rows:
        # The tail first: segments that appear afterwards can only hold its rows again, as their numbers tell.
        try:
            tail = read_tail(self._folder, self._fit)
            spans = list_spans(self._folder)
        except FileNotFoundError:
            raise
        except OSError as error:
            raise RunDamaged(f"{self._folder}: cannot be read ({error.strerror}); check its permissions") from error
        self._open = {span: self._open.get(span) or open_segment(self._folder, span, self._fit) for span in spans}
        sealed = spans[-1].end if spans else 0
        if tail and tail.first_row > sealed:
            raise RunDamaged(
                f"{self._folder}: rows {sealed} to {tail.first_row} are in no segment, before the tail; "
                "a file was removed or renamed"
            )
        return Rows(list(self._open.values()), tail.batches if tail and tail.first_row == sealed else [])

    def _fit(self, rows: pa.RecordBatch) -> pa.RecordBatch:
        """Rows as this version knows them: a column that was not written is null, one that is not known is left out."""
        for migration in self._migrations:
            rows = migration.rows(self._name, rows)
        schema = TABLES[self._name]
        if rows.schema.equals(schema):
            return rows
        columns = []
        for wanted in schema:
            index = rows.schema.get_field_index(wanted.name)
            if index >= 0 and rows.schema.field(index).type != wanted.type:
                found = rows.schema.field(index).type
                raise ValueError(f"column {wanted.name} has type {found}; it should be {wanted.type}")
            columns.append(rows.column(index) if index >= 0 else pa.nulls(rows.num_rows, wanted.type))
        return pa.RecordBatch.from_arrays(columns, schema=schema.with_metadata(rows.schema.metadata))
