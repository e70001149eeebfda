import numpy as np
import pytest

from stetho.checks.evidence.chance import largest_chi_square, most_together, share_noise


@pytest.mark.parametrize(("freedom", "times"), [(1, 1), (9, 1), (9, 256), (1, 16)])
def test_chance_seldom_exceeds_its_limit(freedom: int, times: int) -> None:
    drawn = np.random.default_rng(0).chisquare(freedom, (4000, times)).max(1) / freedom
    assert (drawn > largest_chi_square(freedom, times, 0.1)).mean() == pytest.approx(0.1, abs=0.04)


@pytest.mark.parametrize(("features", "classes"), [(20, 2), (64, 10), (500, 3)])
def test_chance_seldom_tells_more_on_average(features: int, classes: int) -> None:
    freedom = classes - 1
    drawn = np.random.default_rng(0).chisquare(freedom, (2000, features)).mean(1) / freedom
    assert (drawn > most_together(features, classes)).mean() < 0.01
    assert (drawn > most_together(features, classes, deviations=0.0)).mean() > 0.3


def test_noise_shrinks_with_the_count() -> None:
    assert share_noise(0.5, 10_000) == pytest.approx(share_noise(0.5, 100) / 10)
    assert share_noise(1.0, 0) > 0
