"""Numbers as a person reads them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stetho.views import text


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0, "0"),
        (2.302585, "2.303"),
        (-0.5, "-0.5"),
        (12.3456, "12.35"),
        (99999.9, "100000"),
        (1e6, "1.00e+06"),
        (0.00099, "0.00099"),
        (0.0000999, "9.99e-05"),
        (math.inf, "inf"),
        (math.nan, "nan"),
        (None, "–"),
    ],
)
def test_numbers_have_four_digits(value: float | None, shown: str) -> None:
    assert text.number(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0, "0"), (999, "999"), (1000, "1.00 k"), (999_949, "1.00 M"), (12_345_678, "12.3 M"), (10**16, "10000 T")],
)
def test_amounts_have_three_digits(value: int, shown: str) -> None:
    assert text.amount(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"), [(0, "0 B"), (1023, "1023 B"), (1536, "1.5 KiB"), (5 * 1024**3, "5.0 GiB"), (None, "–")]
)
def test_sizes_are_in_binary_units(value: int | None, shown: str) -> None:
    assert text.size(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0, "0 ms"),
        (59.94, "59.9 s"),
        (59.96, "1 min 0 s"),
        (3599.6, "1 h 0 min"),
        (90061, "25 h 1 min"),
        (math.nan, "–"),
    ],
)
def test_times_never_show_sixty(value: float, shown: str) -> None:
    assert text.seconds(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"), [(0.0, "0 %"), (0.0994, "9.9 %"), (0.0996, "10 %"), (1.0, "100 %"), (math.nan, "–")]
)
def test_shares_are_percentages(value: float, shown: str) -> None:
    assert text.share(value) == shown


@given(st.lists(st.floats(allow_subnormal=False, min_value=-1e30, max_value=1e30), max_size=50), st.integers(0, 20))
def test_a_spark_line_fits_its_width(values: list[float], width: int) -> None:
    line = text.spark_line(values, width)
    assert len(line) == min(width, len(values))
    assert set(line) <= set(text.BARS)


def test_a_spark_line_goes_down_with_the_loss() -> None:
    assert text.spark_line([8, 7, 6, 5, 4, 3, 2, 1], 8) == "█▇▆▅▄▃▂▁"


def test_a_spark_line_marks_what_is_not_finite() -> None:
    assert text.spark_line([1.0, math.inf, 1.0], 3) == "▁×▁"
    assert text.spark_line([math.nan], 3) == "×"


@given(st.text(), st.integers(1, 40))
def test_a_clipped_line_fits(line: str, width: int) -> None:
    assert len(text.clipped(line, width)) <= width
