"""Everything that is recorded, shown in TensorBoard while the program runs."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from time import time

import numpy as np

from stetho.store.events import EventsWriter, is_shown
from stetho.store.format import EVENTS_FOLDER, MEASURES

SCALARS = (
    "loss", "accuracy", "lr", "grad_norm", "batch_size", "loss_scale", "seconds", "data_seconds", "forward_seconds",
    "backward_seconds", "optimizer_seconds", "ours_seconds", "device_memory",
)  # fmt: skip
SHOWN_MEASURES = ("rms", "mean", "std", "absmax", "ratio")


class EventMirror:
    """Writes event files into the run."""

    def __init__(self) -> None:
        self._writer: EventsWriter | None = None

    def open(self, folder: Path) -> None:
        """The run has a folder."""
        self._writer = EventsWriter(folder / EVENTS_FOLDER)

    def row(self, table: str, row: Mapping[str, object]) -> None:
        """A row was recorded."""
        values: dict[str, float] = {}
        if table == "steps":
            values = {f"step/{key}": value for key in SCALARS if is_shown(value := row.get(key))}  # type: ignore[misc]
        elif table == "metrics" and is_shown(row["value"]):
            values = {f"{row['phase']}/{row['name']}": row["value"]}  # type: ignore[dict-item]
        self._scalars(row, values)

    def stats(self, step: int, names: Sequence[str], rows: np.ndarray) -> None:
        """Stats were recorded."""
        columns = [(measure, 1 + MEASURES.index(measure)) for measure in SHOWN_MEASURES]
        values: dict[str, float] = {}
        for name, row in zip(names, rows, strict=True):
            role, _, subject = name.partition("/")
            values |= {
                f"{role}.{measure}/{subject}": float(row[at]) for measure, at in columns if is_shown(float(row[at]))
            }
        self._scalars({"step": step}, values)

    def histogram(self, step: int, name: str, counts: np.ndarray) -> None:
        """A histogram was recorded."""
        if self._writer is not None:
            self._writer.histogram(step, time(), name, counts)

    def close(self) -> None:
        """The run is over."""
        if self._writer is not None:
            self._writer.close()

    def _scalars(self, row: Mapping[str, object], values: Mapping[str, float]) -> None:
        if self._writer is not None and values:
            self._writer.scalars(int(row["step"]), time(), values)  # type: ignore[call-overload]
