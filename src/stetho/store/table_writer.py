"""One table on disk as its writer sees it: a tail that grows, and segments that it is sealed into."""

import errno
import os
from pathlib import Path

import pyarrow as pa

from stetho.errors import RunDamaged
from stetho.store.format import SEAL_BATCHES
from stetho.store.segments import Span, open_segment, write_segment
from stetho.store.tail import TailWriter


class TableWriter:
    """Appends record batches to the tail and seals it when enough rows or batches are together.

    A kill between any two of the steps of `seal` leaves every row readable once: the segment appears whole by rename, a
    reader prefers it to the tail and to the smaller segment that it replaces, and only then are these removed.
    """

    def __init__(self, folder: Path, schema: pa.Schema, seal_rows: int) -> None:
        self._folder = folder
        self._schema = schema
        self._seal_rows = seal_rows
        self._tail = TailWriter(folder, schema, first_row=0)
        self._last: Span | None = None

    def append(self, batch: pa.RecordBatch) -> None:
        # A seal that was broken off comes first: rows that follow in its tail would not be seen.
        self.seal_if_due()
        self._tail.append(batch)

    def seal_if_due(self) -> None:
        if self._tail.rows >= self._seal_rows or len(self._tail.batches) >= SEAL_BATCHES:
            self.seal()

    def seal(self) -> None:
        """Turn the tail into a segment, together with the last segment while both fit into one."""
        if not self._tail.rows:
            return
        batches = list(self._tail.batches)
        end = self._tail.first_row + self._tail.rows
        merged = self._last if self._last and end - self._last.first <= self._seal_rows else None
        span = Span(merged.first if merged else self._tail.first_row, end)
        if merged:
            batches.insert(0, self._last_rows(merged))
        (rows,) = pa.Table.from_batches(batches).combine_chunks().to_batches()
        write_segment(self._folder, span, rows)
        sealed, fresh = self._tail, TailWriter(self._folder, self._schema, first_row=end, after=self._tail)
        self._tail, self._last = fresh, span
        sealed.remove()
        if merged:
            os.unlink(self._folder / merged.file)

    def close(self) -> None:
        self._tail.close()

    def _last_rows(self, span: Span) -> pa.RecordBatch:
        try:
            return open_segment(self._folder, span).rows.replace_schema_metadata()
        except RunDamaged as error:
            raise OSError(errno.EIO, str(error), str(self._folder)) from error
