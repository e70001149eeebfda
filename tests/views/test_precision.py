"""The precision report is made from recorded histograms."""

import io
from pathlib import Path

import numpy as np

from stetho.records import Series
from stetho.store.format import HISTOGRAM_BUCKETS
from stetho.store.reader import Run
from stetho.store.writer import RunWriter
from stetho.views.precision import precision_rows, print_precision

MIDDLE = HISTOGRAM_BUCKETS // 2


def recorded(folder: Path, **powers: int) -> Run:
    """A run with a gradient of one value at each of these powers of two, in two steps."""
    writer = RunWriter.create(folder, "train", {})
    for number, (name, power) in enumerate(powers.items()):
        writer.define(Series(number, 0, name, "grad", "train"))
        counts = np.zeros(HISTOGRAM_BUCKETS, dtype=np.int32)
        counts[MIDDLE + 1 + power + 64] = 1
        counts[MIDDLE] = 1
        for step in (1, 2):
            writer.append_histogram(step, number, counts)
    writer.close({})
    return Run(writer.path)


def test_adds_all_steps_up(tmp_path: Path) -> None:
    tiny, huge = precision_rows(recorded(tmp_path, tiny=-30, huge=20))
    assert (tiny.histograms, tiny.zeros) == (2, 0.5)
    assert (tiny.losses["fp16"].zero, tiny.losses["bf16"].zero, tiny.losses["fp8 e5m2"].zero) == (0.5, 0.0, 0.5)
    assert (huge.losses["fp16"].overflow, huge.losses["fp8 e4m3"].overflow) == (0.5, 0.5)


def test_draws_a_table_and_a_scale(tmp_path: Path) -> None:
    file = io.StringIO()
    print_precision(precision_rows(recorded(tmp_path, weight=-30)), file)
    text = file.getvalue()
    assert "50 % ↓" in text
    assert "a loss scale of 2^43" in text


def test_a_run_without_histograms_has_no_rows(tmp_path: Path) -> None:
    assert precision_rows(recorded(tmp_path)) == []
