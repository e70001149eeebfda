"""Numbers of tensors are those of numpy, also across blocks and with values that are no numbers."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stetho.checkpoints.contents import BLOCK, LazyTensor, lazy_tensor
from stetho.checkpoints.element_types import of_numpy
from stetho.checkpoints.measuring import TensorStats, measure, measure_checkpoint
from stetho.checkpoints.stored import HeldBytes
from tests.checkpoints import samples


def tensor(array: "np.ndarray[Any, Any]") -> LazyTensor:
    return lazy_tensor("w", array.shape, of_numpy(array.dtype), HeldBytes(array.tobytes()))


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int8", "int64", "bool"])
def test_numbers_are_those_of_numpy(dtype: str) -> None:
    array = (np.random.default_rng(0).normal(3, 5, (3, BLOCK // 2 + 7)) + 100).astype(dtype)
    stats, exact = measure(tensor(array)), array.astype(np.float64)
    assert (stats.elements, stats.zeros) == (array.size, np.count_nonzero(array == 0))
    assert (stats.low, stats.high) == (exact.min(), exact.max())
    np.testing.assert_allclose([stats.mean, stats.std], [exact.mean(), exact.std()], rtol=1e-4)
    np.testing.assert_allclose(stats.rms, np.sqrt(np.square(exact).mean()), rtol=1e-4)


def test_values_that_are_no_numbers_are_counted_and_left_out() -> None:
    array = np.array([1.0, np.nan, np.inf, -np.inf, 0.0, 3.0], np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        stats = measure(tensor(array))
    assert (stats.nans, stats.infs, stats.zeros, stats.low, stats.high) == (1, 2, 1, 0.0, 3.0)
    assert stats.mean == pytest.approx(4 / 3)


def test_nothing_but_nan_has_no_extremes() -> None:
    stats = measure(tensor(np.full(3, np.nan, np.float32)))
    assert stats.nans == 3
    assert np.isnan([stats.low, stats.high, stats.mean, stats.std]).all()
    assert stats.histogram == ()


def test_denormals_are_counted() -> None:
    assert measure(tensor(np.array([1e-40, 0.0, 1.0, -1e-45], np.float32))).denormals == 2
    assert measure(tensor(np.array([6e-8, 1.0], np.float16))).denormals == 1


def test_squares_that_overflow_are_taken_in_double_precision() -> None:
    stats = measure(tensor(np.array([3e38, -3e38, 1.0], np.float32)))
    assert stats.rms == pytest.approx(3e38 * np.sqrt(2 / 3), rel=1e-6)


def test_the_histogram_runs_from_the_lowest_to_the_highest() -> None:
    histogram = measure(tensor(np.array([0.0] * 8 + [1.0] * 2))).histogram
    assert (histogram[0], histogram[-1], sum(histogram)) == (8, 2, 10)


@pytest.mark.parametrize("shape", [(0,), (3, 0), ()])
def test_empty_and_single_tensors_are_fine(shape: tuple[int, ...]) -> None:
    stats = measure(tensor(np.ones(shape, np.float32)))
    assert isinstance(stats, TensorStats)
    assert stats.is_constant == (shape == ())


def test_progress_is_told_of_every_byte() -> None:
    seen: list[int] = []
    measure(tensor(np.zeros(BLOCK + 1, np.float32)), seen.append)
    assert seen == [BLOCK * 4, 4]


def test_a_whole_checkpoint_is_plain_data(tmp_path: Path) -> None:
    measured = measure_checkpoint(samples.write_npz(tmp_path))
    document = measured.to_json()
    assert [row["name"] for row in document["tensors"]] == ["layer.weight", "count"]
    assert document["elements"] == 8
    assert measured.table()[0]["mean"] == 0.0
