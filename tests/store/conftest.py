"""Recorded runs for the tests of the store: the same content, laid out on disk in each way that can happen."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

from stetho.records import Series
from stetho.store.format import HISTOGRAM_BUCKETS, MEASURES, SEAL_ROWS, TABLES
from stetho.store.writer import RunWriter

# How long an example takes says something about the machine, not about the store.
settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")

STARTED = datetime(2026, 11, 15, 19, 40, 27, tzinfo=UTC)
SERIES = [
    Series(0, 0, "fc1", "act", "train"),
    Series(1, 0, "fc1", "act", "eval"),
    Series(2, 0, "fc1.weight", "update", "train"),
    Series(3, 1, "fc1", "act", "train"),
]


def number(step: int, series: int, measure: str) -> float:
    """The value that every layout holds at this place; small enough to be exact in each stored type."""
    return step * 8.0 + series + MEASURES.index(measure) * 1024


def stats_rows(step: int) -> np.ndarray:
    return np.array([[one.id, *(number(step, one.id, measure) for measure in MEASURES)] for one in SERIES])


def histogram(step: int, series: int) -> np.ndarray:
    counts = np.zeros(HISTOGRAM_BUCKETS, np.int64)
    counts[100 + series] = step + 1
    return counts


def write_step(writer: RunWriter, step: int) -> None:
    """One row or more in each table."""
    writer.append("steps", {"step": step, "time": step * 0.5, "loss": 1 / step, "lrs": [0.1, step], "tier": "full"})
    writer.append("batches", {"step": step, "phase": "train", "shape": (4, step), "hash": step << 40, "training": True})
    writer.append("metrics", {"step": step, "phase": "user", "name": "accuracy", "value": step / 100})
    writer.append("memory", {"step": step, "pid": 1, "process": "main", "rss": step << 20})
    writer.append_stats(step, stats_rows(step))
    for one in SERIES[:2]:
        writer.append_histogram(step, one.id, histogram(step, one.id))


@dataclass(frozen=True)
class Recorded:
    """A run on disk, and how many steps it holds."""

    path: Path
    steps: int


@contextmanager
def sealed_after(rows: int, batches: int) -> Iterator[None]:
    """Tails that are sealed early, so that a short run has many segments."""
    with pytest.MonkeyPatch.context() as patch:
        for table in TABLES:
            patch.setitem(SEAL_ROWS, table, rows)
        patch.setattr("stetho.store.table_writer.SEAL_BATCHES", batches)
        yield


def record(
    out: Path, *, seal_rows: int, seal_batches: int, close: bool, steps: int = 23, rank: int | None = None
) -> Recorded:
    with sealed_after(seal_rows, seal_batches):
        writer = RunWriter.create(out, "train", {"command": ["train.py"]}, rank=rank, started=STARTED)
        writer.write_json("model.json", {"models": [{"id": 0, "class": "Net"}]})
        writer.note("start", "it begins", line=3)
        for one in SERIES:
            writer.define(one)
        for step in range(1, steps + 1):
            write_step(writer, step)
            if step % 2 == 0 or step == steps:
                writer.flush()
        writer.save_tensors(3, {"weight": np.arange(6, dtype=np.float32).reshape(2, 3)})
        if close:
            writer.close({"exit": {"kind": "finished", "code": 0}, "steps": steps})
    return Recorded(writer.path, steps)


def _ranks(out: Path) -> Recorded:
    record(out, seal_rows=40, seal_batches=100, close=True, steps=5, rank=0)
    return record(out, seal_rows=40, seal_batches=100, close=True, rank=1)


LAYOUTS: dict[str, Callable[[Path], Recorded]] = {
    "tails only": lambda out: record(out, seal_rows=10_000, seal_batches=1_000, close=False),
    "one segment": lambda out: record(out, seal_rows=10_000, seal_batches=1_000, close=True),
    "segments": lambda out: record(out, seal_rows=8, seal_batches=1_000, close=True),
    "segments and tails": lambda out: record(out, seal_rows=21, seal_batches=1_000, close=False),
    "merged segments": lambda out: record(out, seal_rows=48, seal_batches=2, close=False),
    "ranks": _ranks,
}


@pytest.fixture(params=LAYOUTS, scope="session")
def recorded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    """The same run in every layout."""
    return LAYOUTS[request.param](tmp_path_factory.mktemp("runs"))


@pytest.fixture
def in_layout(tmp_path: Path) -> Callable[[str], Recorded]:
    """A fresh run in a layout of the test's choice, to be changed at will."""
    return lambda name: LAYOUTS[name](tmp_path / name.replace(" ", "-"))
