"""Writes a run while a program trains: rows are buffered, flushed to tails, and sealed into segments."""

import os
import re
import threading
from collections import deque
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from stetho.records import Series
from stetho.store.documents import encode
from stetho.store.files import Bytes, Lines, put_in_place
from stetho.store.format import FORMAT_VERSION, NOTES_FILE, RUN_FILE, SEAL_ROWS, SERIES_FILE, TABLES, TENSORS_FOLDER
from stetho.store.pending import PENDING_ROWS, Pending, PendingHistograms, PendingRows, PendingStats
from stetho.store.table_writer import TableWriter
from stetho.store.tensors import tensor_files, write_tensors

MOST_WAITING = 1_024
"""So many rows, or blocks of them, wait for a flush that is under way before whoever adds more waits for it, too."""


Arrived = tuple[str, Mapping[str, object]] | tuple[int, Bytes]
"""A row and its table, or rows of `stats` and their step."""


class RunWriter:
    """The one writer of a run's folder. Safe to use from several threads; does nothing in a forked child.

    Every method may raise OSError (disk full, folder gone). What was flushed before stays readable, and rows that could
    not be flushed are tried again by the next flush.

    >>> import tempfile
    >>> from stetho.store.reader import open_run
    >>> writer = RunWriter.create(Path(tempfile.mkdtemp()), "train", {"command": ["train.py"]})
    >>> writer.append("steps", {"step": 1, "loss": 2.5})
    >>> writer.close({"exit": {"kind": "finished", "code": 0}})
    >>> open_run(writer.path).table("steps")["loss"].to_pylist()
    [2.5]
    """

    def __init__(self, path: Path, info: dict[str, object]) -> None:
        self.path = path
        self._info = info
        self._process = os.getpid()
        self._lock = threading.RLock()
        self._closed = False
        # What comes while another thread writes: a training must not stand still until the disk is done.
        self._arrived: deque[Arrived] = deque()
        self._series = Lines(path / SERIES_FILE)
        self._undefined: list[bytes] = []
        self._notes = Lines(path / NOTES_FILE)
        self._tables = {name: TableWriter(path / name, schema, SEAL_ROWS[name]) for name, schema in TABLES.items()}
        self._stats = PendingStats()
        self._histograms = PendingHistograms()
        self._rows = {
            name: PendingRows(schema) for name, schema in TABLES.items() if name not in ("stats", "histograms")
        }
        self._pending: dict[str, Pending] = {"stats": self._stats, "histograms": self._histograms, **self._rows}
        self.write_json(RUN_FILE, info)

    @classmethod
    def create(
        cls,
        out: Path,
        name: str,
        info: Mapping[str, object],
        *,
        rank: int | None = None,
        started: datetime | None = None,
    ) -> "RunWriter":
        """Make the folder of a new run in `out`; ranks of one job that began at the same time share one."""
        began = started or datetime.now().astimezone()
        path = _new_folder(out, f"{began:%Y-%m-%d_%H-%M-%S}_{_as_file_name(name)}", rank)
        given = {"name": name, "started": began.isoformat(), "pid": os.getpid(), "rank": rank, **info}
        return cls(path, {"format": FORMAT_VERSION, **given})

    def define(self, series: Series) -> None:
        """Say what a series id means; on disk before the first row that uses it."""
        if self._is_ours():
            with self._lock:
                self._undefined.append(encode(asdict(series)))

    def append(self, table: str, row: Mapping[str, object]) -> None:
        """Add a row to a table that is not `stats` or `histograms`; a missing key is null."""
        self.take((table, row))

    def append_stats(self, step: int, rows: Bytes) -> None:
        """Add rows to `stats`: a series id, then the measures in the order of `MEASURES`, each as float64."""
        self.take((step, rows))

    def take(self, arrived: Arrived) -> None:
        """Add what `append` or `append_stats` would be given."""
        if os.getpid() == self._process:
            self._arrived.append(arrived)
            self._take()

    def append_histogram(self, step: int, series: int, counts: npt.NDArray[np.integer[Any]]) -> None:
        """Add one histogram of `HISTOGRAM_BUCKETS` counts."""
        if self._is_ours():
            with self._lock:
                self._histograms.add(step, series, counts)
                if len(self._histograms) >= PENDING_ROWS:
                    self._flush("histograms")

    def write_json(self, file: str, data: object) -> None:
        """Replace a JSON file of the run at once."""
        self.write_encoded(file, encode(data, indent=1))

    def write_encoded(self, file: str, content: bytes) -> None:
        """Replace a file of the run at once by what `documents.encode` has made."""
        if self._is_ours():
            with self._lock:
                put_in_place(self.path / file, content)

    def note(self, kind: str, text: str, **detail: object) -> None:
        """Write down at once what happened or what could not be seen."""
        if self._is_ours():
            with self._lock:
                self._notes.append(encode({"kind": kind, "text": text, **detail}))

    def save_tensors(self, step: int, tensors: Mapping[str, npt.NDArray[Any]]) -> Path:
        """Save whole tensors of a step; `store.tensors` says how types without a numpy type are given."""
        with self._lock:
            folder = self.path / TENSORS_FOLDER
            folder.mkdir(exist_ok=True)
            path = next(path for path in tensor_files(folder, step) if not path.exists())
            if self._is_ours():
                write_tensors(path, tensors)
            return path

    def flush(self) -> None:
        """Hand all rows so far to the operating system, and seal the tails that are due."""
        if self._is_ours():
            with self._lock:
                self._sort_in()
                # The row of a step comes last: when it is there, so is what belongs to it.
                for table in reversed(self._tables):
                    self._flush(table)

    def close(self, ending: Mapping[str, object]) -> None:
        """Flush, seal, and write the ending into run.json, as much of it as the disk takes; later calls do nothing."""
        if not self._is_ours():
            return
        with self._lock, ExitStack() as last:
            if self._closed:
                return
            self._closed = True
            for close in (self._series.close, self._notes.close, *(table.close for table in self._tables.values())):
                last.callback(close)
            ended = datetime.now().astimezone().isoformat()
            last.callback(self.write_json, RUN_FILE, {**self._info, "ended": ended, **ending})
            for table in self._tables.values():
                last.callback(table.seal)
            self.flush()

    def _take(self) -> None:
        """Take what has arrived; where a flush is under way, that is left to the next who comes."""
        if self._lock.acquire(blocking=len(self._arrived) >= MOST_WAITING):
            try:
                self._sort_in()
            finally:
                self._lock.release()

    def _sort_in(self) -> None:
        arrived = self._arrived
        while arrived:
            where, rows = arrived.popleft()
            if isinstance(where, str):
                if self._rows[where].add(rows) >= PENDING_ROWS:  # type: ignore[arg-type]  # a mapping
                    self._flush(where)
                continue
            while rest := self._stats.add(where, rows):  # type: ignore[arg-type]  # bytes
                self._flush("stats")
                rows = rest

    def _flush(self, table: str) -> None:
        pending = self._pending[table]
        while (batch := pending.freeze()) is not None:
            if self._undefined:
                self._series.append(b"".join(self._undefined))
                self._undefined = []
            self._tables[table].append(batch)
            pending.thaw()
            self._tables[table].seal_if_due()

    def _is_ours(self) -> bool:
        # A forked child has copies of the buffers and of the open files; the parent writes them.
        return os.getpid() == self._process


def _new_folder(out: Path, name: str, rank: int | None) -> Path:
    out.mkdir(parents=True, exist_ok=True)
    number = 1
    while True:
        path = out / (name if number == 1 else f"{name}-{number}")
        number += 1
        try:
            if rank is None:
                path.mkdir()
                return path
            path.mkdir(exist_ok=True)
            if not (path / RUN_FILE).exists():
                path /= f"rank={rank}"
                path.mkdir()
                return path
        except FileExistsError:
            continue


def _as_file_name(name: str) -> str:
    return re.sub(r"[^\w.+-]+", "-", name).strip("-.")[:80] or "run"
