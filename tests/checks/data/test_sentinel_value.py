import pytest

from stetho.checks.data.sentinel_value import sentinel_value
from stetho.checks.declare import Skip
from stetho.testing import make_window

FOUND = {
    "model": 0, "rows": 800, "columns": 3, "column": 2, "of": 8, "value": -4.1, "share": 0.06, "low": 0.24,
    "high": 0.26, "away": 200.0,
}  # fmt: skip
GUESS = {"correct": 8}


def judged(lines=(), **changed):
    window = make_window(
        steps=200, probes={"far_values": FOUND | changed}, batch=GUESS, eval_batch=GUESS, lines={"sentinel": lines}
    )
    return sentinel_value(window)


def test_finds_a_value_that_stands_for_missing_ones() -> None:
    finding = judged(lines=["train.py:25"])
    assert "column 2" in finding.title
    assert "exactly -4.1" in finding.title
    assert "3 of 8 columns" in finding.title
    assert finding.where.line == 25
    assert "of 8 columns" not in judged(columns=1).title


def test_stays_quiet_where_no_column_has_one_or_the_model_learns_all_the_same() -> None:
    assert judged(columns=0) is None
    well = make_window(steps=200, probes={"far_values": FOUND})
    assert sentinel_value(well, left=2.0) is None


def test_stays_quiet_on_another_model_than_the_trained_one() -> None:
    assert judged(model=7) is None


@pytest.mark.parametrize("probes", [{}, {"far_values": FOUND | {"rows": 50}}])
def test_skips_few_rows(probes) -> None:
    with pytest.raises(Skip, match="fewer than 100 rows"):
        sentinel_value(make_window(probes=probes))
