"""Rows in memory become the record batches that they should."""

import numpy as np
import pyarrow as pa
import pytest

from stetho.store.format import HISTOGRAM_BUCKETS, HISTOGRAMS, MEASURES, STATS, STEPS
from stetho.store.pending import Pending, PendingHistograms, PendingRows, PendingStats


def test_an_unknown_column_is_refused_with_those_that_exist() -> None:
    rows = PendingRows(pa.schema([("step", pa.int32()), ("loss", pa.float64())]))
    with pytest.raises(ValueError, match=r"\['lss'\]; columns: \['step', 'loss'\]"):
        rows.add({"step": 1, "lss": 2.0})
    assert not len(rows)


def test_rows_of_a_wrong_type_do_not_stay_in_the_way() -> None:
    rows = PendingRows(STEPS)
    rows.add({"step": "one"})
    with pytest.raises(ValueError, match="one"):
        rows.freeze()
    rows.add({"step": 2})
    assert rows.freeze().column("step").to_pylist() == [2]


def test_a_frozen_batch_stays_the_same_while_rows_are_added() -> None:
    counts = np.zeros(HISTOGRAM_BUCKETS, int)
    stats, rows, histograms = PendingStats(capacity=5), PendingRows(STEPS), PendingHistograms()

    def add(step: int) -> None:
        stats.add(step, np.zeros((1, 1 + len(MEASURES))))
        rows.add({"step": step})
        histograms.add(step, 0, counts)

    pending: list[Pending] = [stats, rows, histograms]
    add(1)
    frozen = [one.freeze() for one in pending]
    add(2)
    assert all(one.freeze() is batch for one, batch in zip(pending, frozen, strict=True))
    assert [batch.column("step").to_pylist() for batch in frozen] == [[1]] * 3
    for one in pending:
        one.thaw()
    assert [one.freeze().column("step").to_pylist() for one in pending] == [[2]] * 3
    for one in pending:
        one.thaw()
    assert [one.freeze() for one in pending] == [None] * 3


def test_stats_take_what_fits_and_give_the_rest_back() -> None:
    stats = PendingStats(capacity=5)
    rows = np.arange(3 * (1 + len(MEASURES)), dtype=float).reshape(3, -1)
    assert not stats.add(1, rows)
    assert stats.add(2, rows) == memoryview(rows[2:].tobytes())
    assert stats.add(2, rows[2:]) == memoryview(rows[2:].tobytes())
    batch = stats.freeze()
    assert batch.schema == STATS
    assert batch.column("step").to_pylist() == [1, 1, 1, 2, 2]
    assert batch.column("series").to_pylist() == [0, 13, 26, 0, 13]


def test_values_out_of_range_warn_nobody() -> None:
    stats = PendingStats(capacity=1)
    stats.add(1, np.array([[0, 1, 2**53, np.nan, 0, 0, -1e300, 1e300, np.nan, np.inf, 0, 0, 0]]))
    row = stats.freeze().to_pylist()[0]
    assert row["count"] == 2**53
    assert (row["min"], row["max"], row["std"]) == (-np.inf, np.inf, np.inf)
    assert np.isnan(row["mean"])


def test_histograms_hold_counts_at_the_end_of_their_range() -> None:
    histograms = PendingHistograms()
    counts = np.zeros(HISTOGRAM_BUCKETS, np.int64)
    counts[3] = 2**40
    histograms.add(7, 1, counts)
    batch = histograms.freeze()
    batch.validate(full=True)
    assert batch.schema == HISTOGRAMS
    assert batch.column("counts").to_pylist()[0][3] == 2**31 - 1


def test_a_histogram_of_another_shape_is_refused() -> None:
    with pytest.raises(ValueError, match="257 buckets"):
        PendingHistograms().add(1, 0, np.zeros(10, int))


def test_rows_of_stats_with_other_columns_are_an_error_at_once():
    with pytest.raises(ValueError, match="columns"):
        PendingStats().add(1, np.zeros((2, 4)))
