"""Tests of the parts of a model as plain data."""

from stetho.inspect.structure import Part, Weight


def test_a_part_counts_its_own_parameters() -> None:
    weights = (Weight(1, "weight", (2, 3), 6, 24, True), Weight(2, "bias", (2,), 2, 8, True))
    assert Part("fc", "Linear", weights=weights).own == 8
