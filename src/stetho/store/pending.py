"""Rows that wait in memory for the next flush, one kind of buffer for each way in which they arrive."""

from collections.abc import Mapping
from typing import Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from stetho.store.columns import dtype_of, from_numpy, from_values
from stetho.store.files import Bytes
from stetho.store.format import HISTOGRAM_BUCKETS, HISTOGRAMS, MEASURES, STATS

PENDING_ROWS = 4_096
"""A buffer of this many rows is flushed even when nobody asks, so memory stays bounded."""

PENDING_STATS = 32_768
STATS_ROW = 8 * (1 + len(MEASURES))
"""Bytes of one row of `stats` as it arrives: a series id and the measures, each as float64."""
_INT32_MAX = np.iinfo(np.int32).max


class Pending(Protocol):
    """Rows of one table that are not on disk yet.

    `freeze` turns them into a record batch and keeps it until `thaw`, so that a flush that was broken off, by a full
    disk or by Ctrl-C, goes on with the very same batch.
    """

    def __len__(self) -> int: ...

    def freeze(self) -> pa.RecordBatch | None: ...

    def thaw(self) -> None: ...


class _Freezer:
    _frozen: pa.RecordBatch | None = None

    def thaw(self) -> None:
        """Forget the frozen batch, which is on disk now."""
        self._frozen = None


class PendingRows(_Freezer):
    """Rows given as mappings; a key that is missing is null.

    >>> rows = PendingRows(pa.schema([("step", pa.int32()), ("loss", pa.float64())]))
    >>> rows.add({"step": 1})
    1
    >>> rows.freeze().to_pylist()
    [{'step': 1, 'loss': None}]
    """

    def __init__(self, schema: pa.Schema) -> None:
        self._schema = schema
        self._names = frozenset(schema.names)
        self._rows: list[Mapping[str, object]] = []

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, row: Mapping[str, object]) -> int:
        """Take a row, and say how many there are now."""
        if not self._names.issuperset(row):
            raise ValueError(f"no such column: {sorted(set(row) - self._names)}; columns: {self._schema.names}")
        self._rows.append(row)
        return len(self._rows)

    def freeze(self) -> pa.RecordBatch | None:
        if self._frozen is None and self._rows:
            batch = self._batch()
            self._rows, self._frozen = [], batch
        return self._frozen

    def _batch(self) -> pa.RecordBatch:
        given = frozenset().union(*self._rows)
        try:
            columns = [self._column(field, given) for field in self._schema]
        except Exception:
            # A row of the wrong type would fail again at every flush and keep the good ones from the disk.
            self._rows = []
            raise
        return pa.RecordBatch.from_arrays(columns, schema=self._schema)

    def _column(self, field: pa.Field, given: frozenset[str]) -> pa.Array:
        if field.name not in given:
            return pa.nulls(len(self._rows), field.type)
        return from_values([row.get(field.name) for row in self._rows], field.type)


class PendingStats(_Freezer):
    """Rows of `stats` as they came; they are put together and given their stored types once a flush.

    A block for all of them would be written to in the training's own thread, and is never in the cache.
    """

    def __init__(self, capacity: int = PENDING_STATS) -> None:
        self._capacity = capacity
        self._parts: list[Bytes] = []
        self._counts: list[int] = []
        self._steps: list[int] = []
        self._used = 0

    def __len__(self) -> int:
        return self._used

    def add(self, step: int, rows: Bytes) -> Bytes:
        """Take as many rows as fit, and give back those that do not. They must not be changed afterwards."""
        size = memoryview(rows).nbytes
        count, rest = divmod(size, STATS_ROW)
        if rest:
            raise ValueError(f"a row has {1 + len(MEASURES)} columns of float64, so {size} bytes are no rows")
        left: Bytes = b""
        if count > self._capacity - self._used:
            count = self._capacity - self._used
            whole = memoryview(rows).cast("B")
            rows, left = whole[: count * STATS_ROW], whole[count * STATS_ROW :]
        self._parts.append(rows)
        self._counts.append(count)
        self._steps.append(step)
        self._used += count
        return left

    def freeze(self) -> pa.RecordBatch | None:
        if self._frozen is None and self._used:
            batch = self._batch()
            self._parts, self._counts, self._steps, self._used, self._frozen = [], [], [], 0, batch
        return self._frozen

    def _batch(self) -> pa.RecordBatch:
        block = np.frombuffer(b"".join(self._parts), np.float64).reshape(-1, 1 + len(MEASURES))
        steps = np.repeat(np.array(self._steps, np.int32), self._counts)
        # A value that does not fit its stored type becomes inf or a meaningless count, never a warning in the program.
        with np.errstate(all="ignore"):
            columns = [block[:, index].astype(dtype_of(type_)) for index, type_ in enumerate(STATS.types[1:])]
        arrays = map(from_numpy, [steps, *columns], STATS.types)
        return pa.RecordBatch.from_arrays(list(arrays), schema=STATS)


class PendingHistograms(_Freezer):
    """Rows of `histograms`; counts past the range of int32 are held at its end."""

    def __init__(self) -> None:
        self._rows: list[tuple[int, int, npt.NDArray[np.int32]]] = []

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, step: int, series: int, counts: npt.NDArray[np.integer]) -> None:
        if counts.shape != (HISTOGRAM_BUCKETS,):
            raise ValueError(f"a histogram has {HISTOGRAM_BUCKETS} buckets, not shape {counts.shape}")
        self._rows.append((step, series, np.minimum(counts, _INT32_MAX).astype(np.int32)))

    def freeze(self) -> pa.RecordBatch | None:
        if self._frozen is None and self._rows:
            batch = self._batch()
            self._rows, self._frozen = [], batch
        return self._frozen

    def _batch(self) -> pa.RecordBatch:
        steps, series, histograms = zip(*self._rows, strict=True)
        flat = from_numpy(np.concatenate(histograms), pa.int32())
        counts = pa.FixedSizeListArray.from_arrays(flat, HISTOGRAM_BUCKETS)
        numbers = [from_values(column, pa.int32()) for column in (steps, series)]
        return pa.RecordBatch.from_arrays([*numbers, counts], schema=HISTOGRAMS)
