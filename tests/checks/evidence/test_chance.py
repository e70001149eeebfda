import numpy as np
import pytest

from stetho.checks.evidence.chance import largest_chi_square, share_noise


@pytest.mark.parametrize(("freedom", "times"), [(1, 1), (9, 1), (9, 256), (1, 16)])
def test_chance_seldom_exceeds_its_limit(freedom: int, times: int) -> None:
    drawn = np.random.default_rng(0).chisquare(freedom, (4000, times)).max(1) / freedom
    assert (drawn > largest_chi_square(freedom, times, 0.1)).mean() == pytest.approx(0.1, abs=0.04)


def test_noise_shrinks_with_the_count() -> None:
    assert share_noise(0.5, 10_000) == pytest.approx(share_noise(0.5, 100) / 10)
    assert share_noise(1.0, 0) > 0
