"""Sums in double precision of what plain sums cannot tell."""

from math import inf, nan

import numpy as np
import pytest

from stetho.stats.exact import exact
from stetho.stats.summary import EMPTY


def test_values_that_are_not_finite_are_counted_and_left_out():
    found = exact(np.array([nan, inf, -inf, 2.0, 4.0, 0.0], np.float32), zeros=1)
    assert found == (6, 1, 2, 1, 0.0, 4.0, 2.0, 8.0)


def test_a_constant_has_no_deviation():
    assert exact(np.full(1000, 0.1, np.float32), 0)[-1] == 0.0


def test_nothing_finite_has_no_range():
    found = exact(np.array([nan, inf]), 0)
    assert (found.nans, found.infs, found.low, found.high) == (1, 1, EMPTY.low, EMPTY.high)


@pytest.mark.parametrize("size", [1e-30, 1e30])
def test_squares_may_leave_the_range_of_32_bits(size):
    found = exact(np.array([1.0, -1.0], np.float32) * np.float32(size), 0)
    assert found.squares == pytest.approx(2 * size * size)
