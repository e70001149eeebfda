"""Tests of the battery by their names."""

import pytest

import stetho
import tests.equivalence.setups as setups
from stetho.errors import UsageError


def test_a_set_up_is_found_by_its_place() -> None:
    found = stetho.equivalent("accumulate", f"{setups.__file__}:uneven", parts=2)
    assert not found.is_equal


def test_an_unknown_test_is_told() -> None:
    with pytest.raises(UsageError, match="unknown test `acumulate`, did you mean `accumulate`"):
        stetho.equivalent("acumulate", setups.uneven)


def test_an_unknown_type_is_told() -> None:
    with pytest.raises(UsageError, match="unknown dtype `fp8`"):
        stetho.equivalent("dtype", setups.uneven, dtype="fp8")


def test_numbers_are_checked() -> None:
    with pytest.raises(UsageError, match=r"`parts` \(=1\) at least 2"):
        stetho.equivalent("accumulate", setups.uneven, parts=1)


@pytest.mark.parametrize("target", [3, "math:pi"])
def test_a_set_up_has_to_be_a_function(target: object) -> None:
    with pytest.raises(UsageError, match=r"set-up function|sets up a training"):
        stetho.equivalent("accumulate", target)
