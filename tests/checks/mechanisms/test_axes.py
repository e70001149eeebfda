"""Views across axes."""

import pytest

from stetho.checks.mechanisms.axes import is_cut_across, is_exchanged


@pytest.mark.parametrize(
    ("before", "after"),
    [((8, 3, 10), (8, 10, 3)), ((8, 3, 4, 5), (8, 20, 3)), ((20, 8, 6), (6, 20, 8)), ((6, 10, 5), (10, 6, 5))],
)
def test_axes_that_change_places_are_known(before: tuple[int, ...], after: tuple[int, ...]) -> None:
    assert is_exchanged(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [((8, 3, 10), (8, 3, 10)), ((8, 3, 10), (24, 10)), ((8, 3, 4, 5), (8, 3, 20)), ((8, 3), (3, 8))],
)
def test_axes_that_are_joined_or_split_are_not(before: tuple[int, ...], after: tuple[int, ...]) -> None:
    assert not is_exchanged(before, after)


@pytest.mark.parametrize(("before", "after"), [((16, 3, 24, 24), (9216, 3)), ((4, 10, 7), (28, 10))])
def test_channels_in_front_are_no_rows(before: tuple[int, ...], after: tuple[int, ...]) -> None:
    assert is_cut_across(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ((16, 24, 24, 3), (9216, 3)),
        ((4, 10, 7), (40, 7)),
        ((4, 10, 7), (4, 70)),
        ((4, 5, 5), (20, 5)),
        ((4, 1, 7), (28, 1)),
    ],
)
def test_channels_at_the_end_and_pixels_one_by_one_are_fine(before: tuple[int, ...], after: tuple[int, ...]) -> None:
    assert not is_cut_across(before, after)
