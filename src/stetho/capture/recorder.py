"""What capture hands over to the store.

The run is opened when there is something to record; rows wait for their numbers that still lie on a device. Rows that
are whole are handed over together, and all of them whenever the run is flushed, which is at least once a second.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from threading import RLock
from time import time
from typing import TYPE_CHECKING, Any, Protocol

from stetho.capture import environment
from stetho.config import Options
from stetho.records import Phase, Series

if TYPE_CHECKING:
    import numpy as np

    from stetho.store.files import Bytes
    from stetho.store.writer import RunWriter

_PLAIN = frozenset({float, int, str, bool, type(None), list})

READY_ROWS = 31
"""So many rows, or blocks of them, are handed to the store with the next one: each alone would cost a short step ten
times as much."""

Fetch = Callable[[Sequence[Any]], list[float]]


class Mirror(Protocol):
    """Somebody who is shown everything that is recorded, as TensorBoard is."""

    def open(self, folder: Path) -> None:
        """The run has a folder."""

    def row(self, table: str, row: Mapping[str, object]) -> None:
        """A row was recorded."""

    def stats(self, step: int, names: Sequence[str], rows: np.ndarray) -> None:
        """Stats were recorded; `names` are `role/name` of the rows."""

    def histogram(self, step: int, name: str, counts: np.ndarray) -> None:
        """A histogram was recorded."""

    def close(self) -> None:
        """The run is over."""


def new_run(options: Options, info: Mapping[str, object], began: float) -> RunWriter:
    """The folder of a run that began at that time, and what is known of it."""
    from stetho.store.writer import RunWriter

    started = datetime.fromtimestamp(began)
    return RunWriter.create(Path(options.out), str(info["name"]), info, rank=environment.rank(), started=started)


class Recorder:
    """The funnel between capture and the run on disk."""

    def __init__(self, options: Options, command: Sequence[str], fetch: Fetch) -> None:
        self.started = time()
        self._options = options
        self._command = list(command)
        self._fetch = fetch
        self._writer: RunWriter | None = None
        self.path: Path | None = None
        """Folder of the run; None as long as nothing was recorded."""
        self._series: dict[tuple[int, str, str, Phase], int] = {}
        self._names: list[str] = []
        self._waiting: list[tuple[str, dict[str, object]]] = []
        self._ready: deque[tuple[str, dict[str, object]] | tuple[int, Bytes]] = deque()
        self._handing_over = RLock()
        self._said: set[tuple[str, str]] = set()
        self.mirror: Mirror | None = None

    @property
    def writer(self) -> RunWriter:
        """The run on disk, made when it is first needed."""
        if self._writer is None:
            began = environment.shared_start() or self.started
            self._writer = new_run(self._options, environment.run_info(self._command, self._options), began)
            self.path = self._writer.path
            if self.mirror is not None:
                self.mirror.open(self.path)
        return self._writer

    def clock(self) -> float:
        """Seconds since the run began."""
        return time() - self.started

    def series(self, model: int, name: str, role: str, phase: Phase) -> int:
        """The id under which a series is stored."""
        key = (model, name, role, phase)
        known = self._series.get(key)
        if known is None:
            known = self._series[key] = len(self._series)
            self._names.append(f"{role}/{name or '(root)'}" + ("" if model == 0 else f" (model {model})"))
            self.writer.define(Series(known, *key))
        return known

    def row(self, table: str, row: dict[str, object]) -> None:
        """Append a row. Values that lie on a device make it wait, and all after it, until `settle`."""
        if self._waiting or not _PLAIN.issuperset(map(type, row.values())):
            self._waiting.append((table, row))
        elif self._writer is None or self.mirror is not None or len(self._ready) >= READY_ROWS:
            self._append(table, row)
        else:
            self._ready.append((table, row))

    def log(self, step: int, values: Mapping[str, object], warn: Callable[[str], None]) -> None:
        """Record metrics of the user's own."""
        for name, value in values.items():
            try:
                plain = float(value)  # type: ignore[arg-type]  # whatever is no number says so itself
            except (TypeError, ValueError, RuntimeError):
                warn(f"log: `{name}` is a {type(value).__name__} that is no number, and is left out")
                continue
            self.row("metrics", {"step": step, "time": self.clock(), "phase": "user", "name": name, "value": plain})

    def settle(self) -> None:
        """Fetch every number that is waited for, at once, and write the rows."""
        if not self._waiting:
            return
        places = [(row, key) for _, row in self._waiting for key, value in row.items() if hasattr(value, "item")]
        values = self._fetch([row[key] for row, key in places]) if places else []
        for (row, key), value in zip(places, values, strict=True):
            row[key] = value
        waiting, self._waiting = self._waiting, []
        for table, row in waiting:
            self._append(table, row)

    def stats(self, step: int, rows: Bytes) -> None:
        """Append the stats of one step: series id, then the measures, in each row, all as float64."""
        self._ready.append((step, rows))
        if self._writer is None or self.mirror is not None or len(self._ready) > READY_ROWS:
            self._hand_over()
        if self.mirror is not None:
            import numpy as np

            from stetho.store.format import MEASURES

            table = np.frombuffer(memoryview(rows), np.float64).reshape(-1, 1 + len(MEASURES))
            self.mirror.stats(step, [self._names[int(series)] for series in table[:, 0]], table)

    def histogram(self, step: int, series: int, counts: np.ndarray) -> None:
        """Append the histogram of one series."""
        self.writer.append_histogram(step, series, counts)
        if self.mirror is not None:
            self.mirror.histogram(step, self._names[series], counts)

    def note(self, kind: str, text: str, **detail: object) -> None:
        """Say something once in the run."""
        if (kind, text) not in self._said:
            self._said.add((kind, text))
            self.writer.note(kind, text, **detail)

    def flush(self) -> None:
        """Put what is finished on disk. Safe to call from the background thread: it touches no device."""
        if self._writer is not None:
            self._hand_over()
            self._writer.flush()

    def keep_error(self, document: Mapping[str, object]) -> None:
        """Write down the error that ends the program, in a run that is made for it if there is none."""
        from stetho.store.format import ERROR_FILE

        self.writer.write_json(ERROR_FILE, document)

    def close(self, ending: Mapping[str, object], *, even_if_empty: bool = False) -> None:
        """Write the last rows and the ending; without rows there is no run, unless one is wanted all the same."""
        if self._writer is not None or even_if_empty:
            self.settle()
            self._hand_over()
            self.writer.close(dict(ending))
            if self.mirror is not None:
                self.mirror.close()

    def _append(self, table: str, row: dict[str, object]) -> None:
        self._hand_over()
        (self._writer or self.writer).append(table, row)
        if self.mirror is not None:
            self.mirror.row(table, row)

    def _hand_over(self) -> None:
        """Give the store the rows that are ready, in their order, whichever thread asks."""
        if self._ready:
            writer = self.writer
            with self._handing_over:
                while self._ready:
                    writer.take(self._ready.popleft())

    def abandon(self) -> None:
        """Forget everything without touching the disk: in a forked child, the files belong to the parent."""
        self._writer = self.path = None
        self._waiting.clear()
        self._ready.clear()

    def release(self) -> None:
        """Drop what waits for a device, after an error of ours."""
        self._waiting.clear()
