"""Columns from what a test gives."""

import numpy as np
import pytest

from stetho.store.format import BATCHES
from stetho.testing.columns import column, table_of


def test_one_value_serves_all_rows() -> None:
    table = table_of(BATCHES, 3, {"mean": 2, "dtype": "float32", "shape": [4, 8]})
    assert table["mean"].tolist() == [2.0, 2.0, 2.0]
    assert table["dtype"].tolist() == ["float32"] * 3
    assert [shape.tolist() for shape in table["shape"]] == [[4, 8]] * 3


def test_each_row_can_have_its_own() -> None:
    table = table_of(BATCHES, 2, {"mean": [1, None], "dtype": ["a", None], "shape": [[1], None]})
    assert np.isnan(table["mean"][1])
    assert table["dtype"].tolist() == ["a", None]
    assert table["shape"][0].tolist() == [1]
    assert table["shape"][1] is None


def test_what_is_not_given_was_not_recorded() -> None:
    table = table_of(BATCHES, 2, {})
    assert np.isnan(table["mean"]).all()
    assert table["label_counts"].tolist() == [None, None]
    assert table["step"].tolist() == [1, 2]


def test_a_wrong_name_or_length_is_an_error() -> None:
    with pytest.raises(ValueError, match="no column 'men'; columns: step, "):
        table_of(BATCHES, 2, {"men": 1})
    with pytest.raises(ValueError, match="3 values for 2 rows"):
        column([1, 2, 3], 2)
