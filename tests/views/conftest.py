"""A small recorded run with every kind of row, for the views."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from stetho.records import Series
from stetho.store.format import MEASURES
from stetho.store.reader import Run
from stetho.store.writer import RunWriter

MODEL = {
    "models": [
        {
            "id": 0,
            "label": "model",
            "class": "Net",
            "layers": [
                {"name": "", "class": "Net", "output": "float32[8, 10]"},
                {"name": "fc1", "class": "Linear", "output": "float32[8, 4]"},
                {"name": "silent", "class": "Identity"},
            ],
            "parameters": [
                {"name": "fc1.weight", "shape": [4, 3], "count": 12, "trainable": True},
                {"name": "fc1.bias", "shape": [4], "count": 4, "trainable": False},
                {"name": "scale", "shape": [], "count": 1, "trainable": True},
            ],
        }
    ]
}

SERIES = [
    Series(0, 0, "fc1", "act", "train"),
    Series(1, 0, "fc1", "act", "eval"),
    Series(2, 0, "fc1", "act_grad", "train"),
    Series(3, 0, "fc1.weight", "param", "train"),
    Series(4, 0, "fc1.weight", "grad", "train"),
    Series(5, 0, "fc1.weight", "update", "train"),
    Series(6, 0, "unlisted", "act", "train"),
]

ENDING = {
    "seconds": 12.5,
    "exit": {"kind": "finished", "code": 0, "error": None, "where": None},
    "overhead": {"seconds": 0.25, "share": 0.02},
    "metrics": {"train": {"accuracy": 0.75}, "eval": {}},
    "capture_error": None,
}


def step_row(step: int) -> dict[str, object]:
    return {
        "step": step,
        "time": 1.0 + step * 0.5,
        "epoch": 1 + step // 3,
        "optimizer": 0,
        "tier": "full" if step <= 2 else "cheap" if step == 3 else "clock",
        "loss": 4.0 / step,
        "lr": 0.1 / step,
        "seconds": 0.5,
        "data_seconds": 0.05,
        "forward_seconds": 0.1,
        "backward_seconds": 0.2,
        "optimizer_seconds": 0.05,
        "ours_seconds": 0.025,
    }


def stats_row(series: int, step: int) -> list[float]:
    values = dict.fromkeys(MEASURES, float(step))
    values |= {"count": 8.0, "zeros": 2.0, "nan": 0.0, "inf": 1.0 if series == 4 else 0.0, "rms": step + series / 10}
    return [series, *(values[measure] for measure in MEASURES)]


Record = Callable[..., Run]


@pytest.fixture
def record(tmp_path: Path) -> Record:
    """Writes a run and opens it: `record(steps=4, rows=[…], ending={…}, …)`."""

    def make(
        steps: int = 4,
        *,
        rows: list[dict[str, object]] | None = None,
        ending: Mapping[str, object] | None = ENDING,
        model: object = MODEL,
        **info: object,
    ) -> Run:
        began = datetime(2026, 11, 15, 19, 40, 27, tzinfo=UTC)
        given = {"command": ["train.py", "--lr", "0.1"], "pid": 1 << 30, **info}
        writer = RunWriter.create(tmp_path / "stetho-runs", "train", given, started=began)
        writer.write_json("model.json", model)
        for series in SERIES:
            writer.define(series)
        for row in rows if rows is not None else map(step_row, range(1, steps + 1)):
            writer.append("steps", row)
        for step in range(1, steps + 1):
            writer.append_stats(step, np.array([stats_row(series.id, step) for series in SERIES]))
            writer.append("memory", {"step": step, "process": "main", "rss": step << 20, "pss": step << 19})
            writer.append("memory", {"step": step, "process": "python", "rss": 9 << 20, "pss": 2 << 20})
        writer.append("metrics", {"step": 1, "phase": "eval", "name": "accuracy", "value": 0.25})
        writer.append("metrics", {"step": 3, "phase": "eval", "name": "accuracy", "value": 0.5})
        writer.append("metrics", {"step": 3, "phase": "train", "name": "accuracy", "value": 0.1})
        writer.append("metrics", {"step": 3, "phase": "user", "name": "score", "value": 3.0})
        writer.note("compiled", "compiled regions are recorded\nat their boundary")
        writer.flush()
        if ending is not None:
            writer.close(ending)
        return Run(writer.path)

    return make
