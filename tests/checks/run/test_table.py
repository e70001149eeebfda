"""Tables: columns are made once, cannot be changed, and unknown ones are named."""

import numpy as np
import pytest

from stetho.checks.run.table import Table

MADE: list[str] = []


def table() -> Table:
    def loss() -> np.ndarray:
        MADE.append("loss")
        return np.array([3.0, 2.0, 1.0])

    return Table(3, {"loss": loss, "order": lambda: np.array(["a", None, "b"], object)})


def test_a_column_is_made_once() -> None:
    MADE.clear()
    rows = table()
    assert rows["loss"] is rows["loss"]
    assert MADE == ["loss"]


def test_a_check_cannot_change_what_the_next_one_sees() -> None:
    with pytest.raises(ValueError, match="read-only"):
        table()["loss"][0] = 9.0


def test_an_unknown_column_is_an_error_that_lists_the_known() -> None:
    with pytest.raises(KeyError, match="no column 'los'; columns: loss, order"):
        table()["los"]


def test_a_part_has_the_same_columns() -> None:
    part = table().where(np.array([True, False, True]))
    assert (part.count, part["loss"].tolist(), list(part)) == (2, [3.0, 1.0], ["loss", "order"])


def test_a_column_can_be_added() -> None:
    assert table().with_column("seen", lambda: np.ones(3))["seen"].sum() == 3
    assert len(table()) == 2
