"""What the series of a run are called: the lines of series.jsonl, and the columns that put the names beside the ids."""

from pathlib import Path
from typing import Any, get_args

import numpy as np
import pyarrow as pa

from stetho.errors import RunDamaged
from stetho.records import Phase, Series
from stetho.store.columns import Array, from_numpy, from_values, to_numpy
from stetho.store.documents import read_lines
from stetho.store.format import SERIES_FILE
from stetho.store.segments import Segment
from stetho.store.table_reader import Rows

SERIES_SCHEMA = pa.schema(
    [("id", pa.int32()), ("model", pa.int16()), ("name", pa.string()), ("role", pa.string()), ("phase", pa.string())]
)
"""The columns of the `series` table, which `stats` and `histograms` get beside their series id."""

_NAME_FIELDS = [
    field.with_type(pa.dictionary(pa.int32(), pa.string())) if field.type == pa.string() else field
    for field in list(SERIES_SCHEMA)[1:]
]

_BOUNDS = {"id": 1 << 31, "model": 1 << 15}


def read_series(folder: Path) -> list[Series]:
    """The series of a run; RunDamaged when a line does not define one."""
    path = folder / SERIES_FILE
    series = [_series(line, f"{path}, line {number}") for number, line in enumerate(read_lines(path), 1)]
    # The same line twice is what a writer leaves that was interrupted just after it.
    series = list(dict.fromkeys(series))
    if len({one.id for one in series}) != len(series):
        raise RunDamaged(f"{path}: defines a series id twice; ids are unique in a run")
    return series


def series_table(series: list[Series]) -> pa.Table:
    """The series as a table.

    >>> series_table([Series(7, 0, "fc", "act", "train")]).to_pylist()
    [{'id': 7, 'model': 0, 'name': 'fc', 'role': 'act', 'phase': 'train'}]
    """
    columns = [from_values([getattr(one, field.name) for one in series], field.type) for field in SERIES_SCHEMA]
    return pa.Table.from_arrays(columns, schema=SERIES_SCHEMA)


def named_schema(schema: pa.Schema) -> pa.Schema:
    """The schema of a table as it is read: one with a series id has the names after it."""
    if "series" not in schema.names:
        return schema
    step, series, *measures = schema
    return pa.schema([step, series, *_NAME_FIELDS, *measures])


class Naming:
    """Puts model, name, role and phase beside the series ids of rows."""

    def __init__(self, series: list[Series]) -> None:
        self._place = {one.id: place for place, one in enumerate(series)}
        self._columns = [_Column(field, series) for field in _NAME_FIELDS]

    def knows(self, rows: Rows) -> bool:
        """Whether every series id is defined."""
        sealed = {number for segment in rows.segments for number in segment.series.tolist()}
        open_ = {number for batch in rows.tail for number in np.unique(to_numpy(batch.column("series"))).tolist()}
        return self._place.keys() >= sealed | open_

    def of_segment(self, segment: Segment) -> pa.RecordBatch:
        """The rows of a segment with their names; its offsets save looking at each row."""
        places = np.array([self._place[number] for number in segment.series.tolist()], np.intp)
        return self._beside(segment.rows, np.repeat(places, np.diff(segment.offsets)))

    def of_batch(self, rows: pa.RecordBatch) -> pa.RecordBatch:
        """Any rows with their names."""
        ids, inverse = np.unique(to_numpy(rows.column("series")), return_inverse=True)
        return self._beside(rows, np.array([self._place[number] for number in ids.tolist()], np.intp)[inverse])

    def _beside(self, rows: pa.RecordBatch, places: Array) -> pa.RecordBatch:
        step, series, *measures = rows.columns
        names = [column.at(places) for column in self._columns]
        return pa.RecordBatch.from_arrays([step, series, *names, *measures], schema=named_schema(rows.schema))


class _Column:
    def __init__(self, field: pa.Field, series: list[Series]) -> None:
        values = [getattr(one, field.name) for one in series]
        self._words: pa.Array | None = None
        self._codes = np.array(values, np.int16) if field.type == pa.int16() else self._code(values)

    def _code(self, values: list[str]) -> Array:
        words = sorted(set(values))
        code = {word: number for number, word in enumerate(words)}
        self._words = from_values(words, pa.string())
        return np.array([code[value] for value in values], np.int32)

    def at(self, places: Array) -> pa.Array:
        codes = self._codes[places]
        if self._words is None:
            return from_numpy(codes, pa.int16())
        return pa.DictionaryArray.from_arrays(from_numpy(codes, pa.int32()), self._words)


def _series(line: dict[str, Any], place: str) -> Series:
    for key, bound in _BOUNDS.items():
        if type(line.get(key)) is not int or not 0 <= line[key] < bound:
            raise RunDamaged(f"{place}: {key} is {line.get(key)!r}; it should be an integer from 0 to {bound - 1}")
    for key in ("name", "role"):
        if not isinstance(line.get(key), str):
            raise RunDamaged(f"{place}: {key} is {line.get(key)!r}; it should be a text")
    if line.get("phase") not in get_args(Phase):
        raise RunDamaged(f"{place}: phase is {line.get('phase')!r}; it should be one of {', '.join(get_args(Phase))}")
    return Series(line["id"], line["model"], line["name"], line["role"], line["phase"])
