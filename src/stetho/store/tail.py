"""The open tail of a table: an Arrow IPC stream that grows by one record batch a flush."""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from stetho.store.files import GrowingFile
from stetho.store.format import FIRST_ROW, TAIL_FILE
from stetho.store.segments import Fit


class TailWriter:
    """Appends record batches; each of them survives the death of this process once `append` is back.

    They are kept in memory too, a few megabytes at most, to be sealed without reading them back.
    A batch that is given again right away (nobody knows whether it was written when Ctrl-C came) is written once.
    """

    def __init__(self, folder: Path, schema: pa.Schema, first_row: int, *, after: "TailWriter | None" = None) -> None:
        self.first_row = first_row
        self.rows = 0
        self.batches: list[pa.RecordBatch] = []
        self._end = 0
        self._newest: pa.RecordBatch | None = after._newest if after else None
        self._file = GrowingFile(folder / TAIL_FILE)
        self._opening = schema.with_metadata({FIRST_ROW: str(first_row)}).serialize().to_pybytes()

    def append(self, batch: pa.RecordBatch) -> None:
        if batch is self._newest:
            return
        if not self.batches:
            self._file.path.parent.mkdir(exist_ok=True)
        data = batch.serialize() if self.batches else self._opening + batch.serialize().to_pybytes()
        end = self._file.write_at(self._end, data)
        rows, batches = self.rows + batch.num_rows, [*self.batches, batch]
        # One statement: an exception from outside cannot come between these.
        self.rows, self.batches, self._end, self._newest = rows, batches, end, batch

    def close(self) -> None:
        self._file.close()

    def remove(self) -> None:
        """Take the tail away, after its rows have been sealed."""
        self._file.remove()


@dataclass(frozen=True, slots=True)
class Tail:
    """What a tail holds up to its last complete record batch."""

    first_row: int
    batches: list[pa.RecordBatch]

    @property
    def rows(self) -> int:
        return sum(batch.num_rows for batch in self.batches)


def read_tail(folder: Path, fit: Fit | None = None) -> Tail | None:
    """Read a tail as far as it is whole; None when there is none, or not even its schema.

    The file is read, not mapped: its writer may cut off a batch that did not fit on the disk.
    """
    try:
        content = (folder / TAIL_FILE).read_bytes()
    except FileNotFoundError:
        return None
    batches: list[pa.RecordBatch] = []
    with suppress(OSError, ValueError, KeyError, pa.ArrowException):
        stream = pa.ipc.open_stream(pa.py_buffer(content))
        first_row = int((stream.schema.metadata or {})[FIRST_ROW])
        with suppress(StopIteration, OSError, ValueError, pa.ArrowException):
            while True:
                batch = stream.read_next_batch()
                batch.validate(full=True)
                batches.append(fit(batch) if fit else batch)
        return Tail(first_row, batches)
    return None
