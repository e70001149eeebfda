"""Whether two tensors hold the same numbers."""

import numpy as np
import pytest

from stetho.comparing.models.values import cosine, fingerprint, is_close, is_near, laid_out_like, likeness

DRAWN = np.random.default_rng(0).normal(size=(2, 3, 4))


def test_a_large_mask_hides_no_difference() -> None:
    one = np.array([1.0, 2.0, -1e9])
    assert not is_close(one, np.array([1.0, 2.1, -1e9]), 1e-9)


def test_infinities_have_to_stand_at_the_same_places() -> None:
    assert not is_close(np.array([1.0, -np.inf]), np.array([-np.inf, 1.0]), 1e-9)
    assert is_close(np.array([np.nan, 1.0]), np.array([np.nan, 1.0]), 1e-9)


@pytest.mark.parametrize(
    ("other", "how"),
    [
        (DRAWN.copy(), "same"),
        (DRAWN[None], "same"),
        (DRAWN.reshape(6, 4), "reshaped"),
        (DRAWN.transpose(1, 0, 2), "reordered"),
        (DRAWN * (1 + 1e-6), None),
        (DRAWN[:1], None),
        (DRAWN.astype(int), None),
    ],
)
def test_tells_how_tensors_are_alike(other: np.ndarray, how: str | None) -> None:
    assert likeness(DRAWN, other, 1e-9) == how


def test_fingerprints_do_not_depend_on_the_order() -> None:
    assert is_near(fingerprint(DRAWN), fingerprint(DRAWN.reshape(-1)[::-1]), 1e-9)
    assert not is_near(fingerprint(DRAWN), fingerprint(DRAWN + 1e-3), 1e-9)
    assert not is_near(fingerprint(DRAWN), fingerprint(np.where(DRAWN > 1, np.inf, DRAWN)), 1e-9)


def test_axes_are_turned_back() -> None:
    turned = laid_out_like(DRAWN, DRAWN.transpose(2, 0, 1))
    assert turned is not None
    assert np.array_equal(turned, DRAWN)
    assert laid_out_like(DRAWN, DRAWN[:1]) is None


def test_the_cosine_leaves_out_what_is_not_finite() -> None:
    assert cosine(np.array([1.0, 1.0, -np.inf]), np.array([2.0, 2.0, -np.inf])) == pytest.approx(1.0)
    assert cosine(np.zeros(2), np.ones(2)) == 0.0


def test_a_mask_of_large_numbers_is_one_of_infinities() -> None:
    scores = np.array([0.5, -2.0, 1.0, 3.0])
    hidden = [np.where([False, True, False, True], value, scores) for value in (-np.inf, -1e9)]
    assert likeness(hidden[0], hidden[1], 1e-9) == "same"


def test_large_numbers_among_large_numbers_are_no_mask() -> None:
    assert likeness(np.array([-1e9, -2e7]), np.array([-2e9, -2e7]), 1e-9) is None
