"""Summaries: two of them put together are the summary of both tensors."""

from math import inf, isnan, nan, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from stetho.stats.summary import EMPTY, Summary, from_sums
from stetho.store.format import MEASURES

VALUES = arrays(np.float64, st.integers(0, 20), elements=st.floats(-1e6, 1e6) | st.sampled_from([nan, inf, -inf, 0.0]))


def summary_of(values: np.ndarray) -> Summary:
    finite = values[np.isfinite(values)]
    nans, infs = int(np.isnan(values).sum()), int(np.isinf(values).sum())
    if len(finite) == 0:
        return EMPTY._replace(elements=len(values), nans=nans, infs=infs)
    squares = float(((finite - finite.mean()) ** 2).sum())
    zeros = int((finite == 0).sum())
    return Summary(len(values), nans, infs, zeros, finite.min(), finite.max(), finite.mean(), squares)


def as_row(summary: Summary, calls: int = 1) -> dict[str, float]:
    return dict(zip(MEASURES, summary.row(calls), strict=True))


def assert_same(one: Summary, other: Summary) -> None:
    assert one[:4] == other[:4]
    assert as_row(one) == pytest.approx(as_row(other), rel=1e-6, abs=1e-3, nan_ok=True)


@given(VALUES, VALUES)
@settings(max_examples=60)
def test_merging_is_measuring_both_together(one, other):
    assert_same(summary_of(one).merged(summary_of(other)), summary_of(np.concatenate([one, other])))


@given(VALUES, VALUES, VALUES)
@settings(max_examples=60)
def test_the_order_of_merging_does_not_matter(one, two, three):
    a, b, c = summary_of(one), summary_of(two), summary_of(three)
    assert_same(a.merged(b).merged(c), c.merged(a.merged(b)))


def test_merging_with_nothing_changes_nothing():
    some = summary_of(np.array([1.0, nan, 3.0]))
    assert EMPTY.merged(some) == some
    assert some.merged(EMPTY) == some


def test_merging_keeps_the_deviation_of_tensors_far_from_zero():
    far = np.array([1e6, 1e6 + 1])
    merged = summary_of(far).merged(summary_of(far + 2))
    assert as_row(merged)["std"] == pytest.approx(np.concatenate([far, far + 2]).std())


def test_a_row_has_the_measures_in_the_order_of_the_table():
    row = as_row(summary_of(np.array([-3.0, 0.0, 1.0, nan, inf])), calls=2)
    assert (row["calls"], row["count"], row["nan"], row["inf"], row["zeros"]) == (2, 5, 1, 1, 1)
    assert (row["min"], row["max"], row["absmax"]) == (-3.0, 1.0, 3.0)
    assert row["mean"] == pytest.approx(-2 / 3)
    assert row["rms"] == pytest.approx(sqrt(10 / 3))
    assert row["std"] == pytest.approx(np.std([-3.0, 0.0, 1.0]))
    assert isnan(row["ratio"])
    assert summary_of(np.ones(2)).row(1, 0.25)[-1] == 0.25


@pytest.mark.parametrize("values", [[], [nan, nan], [inf, -inf, nan]])
def test_without_a_finite_value_there_are_counts_but_no_values(values):
    summary = summary_of(np.array(values))
    row = as_row(summary)
    assert row["count"] == len(values)
    assert all(isnan(row[measure]) for measure in ("min", "max", "mean", "std", "rms", "absmax"))
    assert isnan(summary.rms)


def test_rounding_below_zero_is_no_deviation():
    row = as_row(Summary(3, 0, 0, 0, 2.0, 2.0, 2.0, -1e-12))
    assert (row["std"], row["rms"]) == (0.0, 2.0)


def test_the_root_mean_square_is_the_one_of_the_row():
    summary = summary_of(np.array([1.0, -2.0, 5.0]))
    assert summary.rms == pytest.approx(as_row(summary)["rms"])


@pytest.mark.parametrize(
    ("total", "power"),
    [(nan, 1.0), (inf, inf), (1.0, inf), (0.0, nan), (4.0, 8.0), (2e6, 2e12), (0.0, 0.0)],
    ids=["nan", "inf", "power overflows", "power nan", "constant", "far from zero", "zeros or underflow"],
)
def test_sums_that_cannot_be_trusted_are_refused(total, power):
    assert from_sums(2, 0, 1.0, 2.0, total, power) is None


def test_sums_of_well_spread_values_are_enough():
    assert from_sums(4, 1, -3.0, 3.0, 2.0, 20.0) == Summary(4, 0, 0, 1, -3.0, 3.0, 0.5, 19.0)
