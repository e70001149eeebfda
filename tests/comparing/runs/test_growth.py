"""Errors that grow."""

import pytest

from stetho.comparing.runs.growth import growth_of


def test_steady_growth_is_explained_to_its_end() -> None:
    growth = growth_of(list(range(1, 21)), [1e-7 * 1.5**step for step in range(20)])
    assert growth is not None
    assert growth.breaks_at is None
    assert growth.factor == pytest.approx(1.5)
    assert "no faster than rounding does" in growth.sentence


def test_a_jump_is_not_explained() -> None:
    growth = growth_of([1, 2, 3, 4], [1e-7, 1.2e-7, 1.5e-7, 1e-2])
    assert growth is not None
    assert growth.breaks_at == 4
    assert growth.found == 1e-2
    assert "at step 4 it is 1.0e-02, where rounding explains" in growth.sentence


def test_steps_that_lie_apart_may_have_grown_in_between() -> None:
    growth = growth_of([1, 2, 3, 13], [1e-7, 2e-7, 4e-7, 4e-4])
    assert growth is not None
    assert growth.breaks_at is None


def test_what_is_as_large_as_the_values_grows_no_more() -> None:
    growth = growth_of([1, 2, 3], [0.4, 0.5, 1e9])
    assert growth is not None
    assert growth.breaks_at is None


def test_without_errors_there_is_no_growth() -> None:
    assert growth_of([1, 2], [0.0, 0.0]) is None
