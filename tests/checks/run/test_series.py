"""Series: parts, medians, joins, and few points out of many."""

import numpy as np

from stetho.checks.run.series import Series, joined, thinned

SERIES = Series(np.array([1, 2, 5, 9]), np.array([4.0, np.nan, 2.0, np.inf]))
EMPTY = Series(np.array([], int), np.array([]))


def test_ends_and_median_leave_out_nothing_but_what_is_not_finite() -> None:
    assert (SERIES.first, SERIES.last, SERIES.median(), len(SERIES)) == (4.0, np.inf, 3.0, 4)
    assert SERIES.finite.steps.tolist() == [1, 5]


def test_an_empty_series_has_no_numbers() -> None:
    assert np.isnan([EMPTY.first, EMPTY.last, EMPTY.median()]).all()
    assert len(EMPTY.finite) == 0


def test_a_part_has_both_its_ends() -> None:
    assert SERIES.between(2, 5).steps.tolist() == [2, 5]


def test_series_are_joined_at_the_steps_they_share() -> None:
    both = joined(SERIES, Series(np.array([2, 5, 7]), np.array([1.0, 0.0, 1.0])), np.divide)
    assert both.steps.tolist() == [2, 5]
    assert np.isnan(both.values[0])
    assert both.values[1] == np.inf


def test_few_points_are_left_as_they_are() -> None:
    assert thinned([1, 2, 3], 3) == [1.0, 2.0, 3.0]


def test_many_points_become_means_of_stretches() -> None:
    assert thinned(np.arange(100), 2) == [24.5, 74.5]
    points = thinned([np.nan] * 100, 4)
    assert len(points) == 4
    assert np.isnan(points).all()
