"""Values that repeat far away from all others of their column."""

import numpy as np
import pytest
import torch

from stetho.capture.torch.feed.far_values import MOST_ROWS, FarValues, far_value

RNG = np.random.default_rng(0)
BELL = RNG.normal(size=900)


def with_gaps(column, value, times=50):
    return np.append(column, np.full(times, float(value)))


def standardised(column):
    return (column - column.mean()) / column.std()


@pytest.mark.parametrize("value", [-9999.0, -999.0, 9e9, 1000.0])
def test_a_number_for_missing_is_far_from_all_others_raw_or_standardised(value):
    column = with_gaps(20 + 3 * BELL, value)
    assert far_value(column)["value"] == value
    found = far_value(standardised(column))
    assert found["share"] == pytest.approx(50 / 950)
    assert found["high"] - found["low"] < 0.2


@pytest.mark.parametrize(
    "column",
    [
        BELL,
        RNG.lognormal(0, 2.5, 1000),
        RNG.standard_cauchy(1000),
        np.clip(RNG.lognormal(0, 2.0, 1000), 0, 3),
        RNG.poisson(0.2, 1000).astype(float),
        (RNG.random(1000) < 0.02).astype(float),
        standardised((RNG.random(1000) < 0.01).astype(float)),
        with_gaps(RNG.random(900), -1.0),
        with_gaps(BELL, 0.0),
        with_gaps(BELL, 9999.0, times=2),
        with_gaps(BELL[:300], 9999.0, times=700),
        with_gaps(np.zeros(900), -1e9),
        np.where(RNG.random(1000) < 0.3, 0.0, RNG.uniform(2e4, 1e5, 1000)),
        with_gaps(BELL, np.nan),
    ],
)
def test_heavy_tails_kinds_counts_masks_clipped_and_marked_values_are_not(column):
    assert far_value(column) is None


def test_columns_of_tables_and_series_are_looked_at_and_others_are_not():
    table = torch.randn(200, 3)
    table[::10, 1] = -9999.0
    far = FarValues()
    far.add(0, table)
    assert (far.result()["columns"], far.result()["column"], far.result()["of"]) == (1, 1, 3)
    far.add(1, torch.full((200, 3), 5.0))
    far.add(0, torch.zeros(200, 2))
    assert far.result()["rows"] == 200
    series = FarValues()
    series.add(0, table.reshape(20, 10, 3))
    assert series.result()["columns"] == 1
    for other in (torch.zeros(9, 3, 4, 4), torch.ones(9, 3, dtype=torch.long), torch.zeros(0, 3)):
        nothing = FarValues()
        nothing.add(0, other)
        assert nothing.result() is None


def test_no_more_rows_are_kept_than_needed():
    far = FarValues()
    for _ in range(30):
        far.add(0, torch.randn(500, 2))
    assert far.result()["columns"] == 0
    assert far.result()["rows"] < MOST_ROWS + 500


def test_columns_of_zeros_are_listed():
    seen = FarValues()
    seen.add(0, torch.tensor(np.column_stack([BELL, np.zeros(900), np.ones(900)]), dtype=torch.float32))
    assert seen.result()["zeros"] == [1]
