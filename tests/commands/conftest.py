"""`stetho` as a person starts it, and a folder with a recorded run."""

import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from stetho.records import Series
from stetho.store.format import MEASURES
from stetho.store.writer import RunWriter

Stetho = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def stetho(tmp_path: Path) -> Stetho:
    """Runs the command line in the test's folder."""

    def run(*words: str, **environment: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-m", "stetho", *words],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=120,
            env={**os.environ, **environment},
        )

    return run


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """The folder of a small finished run in `stetho-runs`."""
    began = datetime(2026, 11, 15, 19, 40, 27, tzinfo=UTC)
    writer = RunWriter.create(tmp_path / "stetho-runs", "train", {"command": ["train.py"]}, started=began)
    layer, parameter = Series(0, 0, "fc1", "act", "train"), Series(1, 0, "fc1.weight", "grad", "train")
    for series in (layer, parameter):
        writer.define(series)
    for step in (1, 2):
        writer.append("steps", {"step": step, "time": float(step), "loss": 1.0 / step, "tier": "full", "optimizer": 0})
        writer.append_stats(step, np.array([[series, *[0.5] * len(MEASURES)] for series in (0, 1)]))
    model = {"id": 0, "label": "net", "layers": [{"name": "fc1"}], "parameters": [{"name": "fc1.weight", "count": 6}]}
    writer.write_json("model.json", {"models": [model]})
    writer.close({"seconds": 2.5, "exit": {"kind": "finished", "code": 0}})
    return writer.path
