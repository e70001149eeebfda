"""How far two tensors are apart: counts, extremes, places; NaN beside NaN is the same."""

import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stetho.checkpoints.contents import BLOCK, LazyTensor, lazy_tensor
from stetho.checkpoints.difference import Change, difference
from stetho.checkpoints.element_types import element_type, of_numpy
from stetho.checkpoints.opening import open_checkpoint
from stetho.checkpoints.stored import HeldBytes


def tensor(array: "np.ndarray[Any, Any]") -> LazyTensor:
    return lazy_tensor("w", array.shape, of_numpy(array.dtype), HeldBytes(array.tobytes()))


def apart(before: object, after: object, dtype: str = "float32") -> Change:
    return difference(tensor(np.array(before, dtype)), tensor(np.array(after, dtype)))


def test_numbers_are_those_of_numpy_across_blocks() -> None:
    before = np.random.default_rng(0).normal(size=3 * BLOCK + 5).astype(np.float32)
    after = before.copy()
    after[BLOCK + 3] += 2.0
    after[-1] -= 0.5
    change = difference(tensor(before), tensor(after))
    exact = (after - before).astype(np.float64)
    assert (change.changed, change.worst, change.elements) == (2, BLOCK + 3, before.size)
    assert change.largest == np.abs(exact).max()
    assert (change.before, change.after) == (before[BLOCK + 3], after[BLOCK + 3])
    assert change.rms == pytest.approx(np.sqrt(np.square(exact).mean()))
    assert change.relative == pytest.approx(change.rms / np.sqrt(np.square(before, dtype=np.float64).mean()), rel=1e-5)


def test_nan_beside_nan_is_the_same() -> None:
    change = apart([np.nan, 1.0, np.inf], [-np.nan, 1.5, np.inf])
    assert (change.changed, change.largest, change.worst) == (1, 0.5, 1)


@pytest.mark.parametrize("after", [np.nan, np.inf, -np.inf])
def test_a_number_that_is_none_any_more_is_infinitely_far(after: float) -> None:
    change = apart([1.0, 2.0], [1.0, after])
    assert (change.changed, change.largest, change.worst, change.before) == (1, np.inf, 1, 2.0)


def test_minus_zero_is_zero() -> None:
    assert apart([0.0], [-0.0]).changed == 0


def test_large_integers_differ_by_one() -> None:
    assert apart([1 << 60, 5], [(1 << 60) + 1, 5], "int64").changed == 1


def test_unsigned_and_boolean_elements_do_not_wrap_around() -> None:
    assert apart([0, 255], [1, 0], "uint8").largest == 255
    assert apart([True, False], [False, False], "bool").changed == 1


def test_changes_from_nothing_are_infinitely_large() -> None:
    assert apart([0.0, 0.0], [0.0, 1.0]).relative == np.inf
    assert apart([0.0], [0.0]).relative == 0.0
    assert apart([0.0], [1e-42]).relative == np.inf


def test_a_number_that_became_nan_is_no_small_change() -> None:
    assert apart([3.0, 4.0], [3.0, np.nan]).relative == np.inf


def test_types_may_differ() -> None:
    half = lazy_tensor("w", (2,), element_type("bfloat16"), HeldBytes(np.array([0x3FC0, 0x4000], "<u2").tobytes()))
    assert difference(half, tensor(np.array([1.5, 2.0], np.float64))).changed == 0
    assert difference(half, tensor(np.array([1.5, 2.5], np.float64))).largest == 0.5


def test_squares_that_overflow_do_not_hide_a_difference() -> None:
    change = apart([1e30, -1e30], [-1e30, -1e30])
    assert (change.changed, change.worst) == (1, 0)
    assert change.rms == pytest.approx(np.sqrt(2.0) * 1e30)


def test_memory_stays_far_below_the_size_of_a_tensor(tmp_path: Path) -> None:
    for name in ("a", "b"):
        np.save(tmp_path / f"{name}.npy", np.full(10_000_000, 1.0 if name == "a" else 2.0, np.float32))
    before, after = (next(iter(open_checkpoint(tmp_path / f"{name}.npy").values())) for name in ("a", "b"))
    tracemalloc.start()
    change = difference(before, after)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert change.changed == 10_000_000
    assert peak < before.nbytes / 4


def test_progress_is_told_of_both_sides() -> None:
    seen: list[int] = []
    difference(tensor(np.zeros(4, np.float32)), tensor(np.ones(4, np.float32)), seen.append)
    assert seen == [32]
