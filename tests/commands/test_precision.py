"""`stetho precision` prints what smaller formats would lose."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stetho.records import Series
from stetho.store.format import HISTOGRAM_BUCKETS
from stetho.store.writer import RunWriter

Stetho = Any


def test_prints_a_table_or_json(stetho: Stetho, tmp_path: Path) -> None:
    writer = RunWriter.create(tmp_path / "stetho-runs", "train", {})
    writer.define(Series(0, 0, "fc1", "act", "train"))
    writer.append_histogram(1, 0, np.ones(HISTOGRAM_BUCKETS, dtype=np.int32))
    writer.close({})
    done = stetho("precision")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0].split() == ["layer", "of", "zeros", "fp16", "bf16", "fp8", "e4m3", "fp8", "e5m2"]
    (row,) = json.loads(stetho("precision", "--json").stdout)
    assert row["name"] == "fc1"
    assert row["losses"]["fp16"]["overflow"] > 0.3


@pytest.mark.usefixtures("recorded")
def test_says_when_there_are_no_histograms(stetho: Stetho) -> None:
    done = stetho("precision")
    assert (done.returncode, done.stdout) == (0, "")
    assert "no histograms" in done.stderr
