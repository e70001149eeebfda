"""Every tensor of a training step is in the run, with the numbers that a plain reference gives."""

import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from bench.coverage import compare, cover, describe  # noqa: E402
from bench.reference import Expected  # noqa: E402

sys.path.remove(str(ROOT))

ONES = Expected(calls=1, bytes=8, count=2, zeros=0, min=1.0, max=1.0, mean=1.0, std=0.0, rms=1.0)
ROW = dict.fromkeys(["calls", "min", "max", "mean", "rms"], 1) | {"count": 2, "zeros": 0, "nan": 0, "inf": 0, "std": 0}


@pytest.mark.parametrize("workload", ["mlp", "gpt-small", "cnn-small"])
def test_no_tensor_is_left_out_and_every_number_is_right(workload: str) -> None:
    coverage = cover(workload)
    assert coverage.complete, describe(coverage)
    assert coverage.covered_bytes == coverage.bytes > 0
    assert all(coverage.tensors.values())


def test_a_missing_tensor_is_found() -> None:
    coverage = compare("mlp", {(1, "act", "0"): ONES, (1, "act_grad", "0"): ONES}, {(1, "act", "0"): ROW})
    assert coverage.missing == ["step 1 act_grad `0`"]
    assert (coverage.covered_bytes, coverage.bytes) == (8, 16)
    assert not coverage.complete


@pytest.mark.parametrize("measure", ["calls", "count", "zeros", "min", "max", "mean", "std", "rms", "nan", "inf"])
def test_a_wrong_number_is_found(measure: str) -> None:
    coverage = compare("mlp", {(1, "act", "0"): ONES}, {(1, "act", "0"): ROW | {measure: 0.5}})
    assert coverage.missing == []
    assert measure in coverage.different[0]
