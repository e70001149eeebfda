"""Summaries side by side: the same numbers as one by one. Any warning of numpy fails these tests."""

from functools import reduce
from math import inf, nan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from stetho.stats.columns import RATIO, RMS, columns_of_summaries, merged, table
from stetho.stats.pieces import summaries_of
from stetho.stats.summary import EMPTY, Summary
from stetho.store.format import MEASURES

ELEMENTS = st.floats(-1e6, 1e6, width=32) | st.sampled_from([nan, inf, -inf, 0.0, -0.0])
SUMMARIES = st.builds(
    lambda values: summaries_of([values])[0], arrays(np.float32, st.integers(1, 9), elements=ELEMENTS)
)
ITEMS = st.lists(st.tuples(st.integers(0, 3), st.integers(1, 5), SUMMARIES | st.just(EMPTY)), min_size=1, max_size=8)


@given(ITEMS)
@settings(max_examples=100, deadline=None)
def test_a_row_is_that_of_its_summary(items):
    series, calls, summaries = (list(each) for each in zip(*items, strict=True))
    rows = table(series, calls, columns_of_summaries(summaries))
    expected = [(one, *summary.row(times)) for one, times, summary in items]
    assert np.array_equal(rows, np.array(expected), equal_nan=True)


def test_the_places_are_those_of_the_format():
    assert ("series", *MEASURES)[RMS] == "rms"
    assert ("series", *MEASURES)[RATIO] == "ratio"


def test_numbers_whose_squares_leave_every_range_do_not_warn():
    assert table([1], [1], columns_of_summaries([Summary(1, 0, 0, 0, 1e300, 1e300, 1e300, 0.0)]))[0, RMS] == inf


@given(ITEMS)
@settings(max_examples=100, deadline=None)
def test_a_series_that_came_several_times_is_put_together_where_it_came_first(items):
    series, calls, summaries = (list(each) for each in zip(*items, strict=True))
    found, together, columns = merged(series, calls, columns_of_summaries(summaries))
    assert found == list(dict.fromkeys(series))
    assert together == [sum(times for one, times, _ in items if one == each) for each in found]
    for each, row in zip(found, table(found, together, columns), strict=True):
        expected = reduce(Summary.merged, [summary for one, _, summary in items if one == each])
        size = expected.rms if expected.finite else 0.0
        assert row[2:].tolist() == pytest.approx(expected.row(1)[1:], rel=1e-6, abs=1e-9 * size, nan_ok=True)


def test_a_summary_whose_mean_is_no_number_adds_nothing():
    # So it comes from a device, where nothing was finite.
    bad = Summary(2, 2, 0, 0, inf, -inf, nan, 0.0)
    _, _, columns = merged([1, 1], [1, 1], columns_of_summaries([bad, Summary(1, 0, 0, 0, 5.0, 5.0, 5.0, 0.0)]))
    assert columns[:, 0].tolist() == [3, 2, 0, 0, 5.0, 5.0, 5.0, 0.0]
