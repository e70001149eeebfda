"""Errors between two tensors."""

import numpy as np
import pytest

from stetho.comparing.tensor_error import error_between


def test_the_worst_place_is_named_with_both_values() -> None:
    one = np.zeros((2, 3), np.float32)
    other = one.copy()
    other[1, 2] = 0.5
    error = error_between(one, other)
    assert error is not None
    assert (error.index, error.one, error.other, error.differing, error.max_abs) == ((1, 2), 0.0, 0.5, 1, 0.5)


@pytest.mark.parametrize(("dtype", "ulps"), [(np.float16, 1), (np.float32, 1), (np.float64, 1)])
def test_neighbours_are_one_ulp_apart_in_every_type(dtype: type, ulps: int) -> None:
    one = np.asarray([1.0, -2.0], dtype)
    error = error_between(one, np.nextafter(one, np.asarray(9.0, dtype)))
    assert error is not None
    assert error.ulps == ulps


def test_ulps_are_counted_across_zero() -> None:
    tiny = np.nextafter(np.float32(0), np.float32(1))
    error = error_between(np.asarray([tiny]), np.asarray([-tiny]))
    assert error is not None
    assert error.ulps == 2


def test_nan_on_both_sides_is_equal_and_on_one_side_is_not() -> None:
    one = np.asarray([np.nan, 1.0])
    same, apart = error_between(one, one.copy()), error_between(one, np.asarray([0.0, 1.0]))
    assert same is not None
    assert apart is not None
    assert same.is_equal
    assert apart.max_abs == np.inf


def test_a_lone_number_has_no_index() -> None:
    error = error_between(np.asarray(1.0), np.asarray(2.0))
    assert error is not None
    assert (error.index, error.max_rel) == ((), 0.5)


def test_other_shapes_have_no_error_and_empty_ones_are_equal() -> None:
    assert error_between(np.zeros(2), np.zeros((2, 1))) is None
    empty = error_between(np.zeros(0), np.zeros(0))
    assert empty is not None
    assert empty.is_equal


def test_opposite_directions_have_cosine_minus_one() -> None:
    error = error_between(np.asarray([1.0, 2.0]), np.asarray([-1.0, -2.0]))
    assert error is not None
    assert error.cosine == pytest.approx(-1)


def test_what_is_masked_on_both_sides_hides_nothing_of_the_rest() -> None:
    one = np.asarray([-np.inf, 3.0, 4.0])
    error = error_between(one, np.asarray([-np.inf, 6.0, 8.0]))
    assert error is not None
    assert error.cosine == pytest.approx(1.0)
    assert error.relative == pytest.approx(0.5)
    one_sided = error_between(one, np.asarray([0.0, 3.0, 4.0]))
    assert one_sided is not None
    assert one_sided.relative == np.inf
