import pytest

from stetho.checks.mechanisms.shifted import shift_between
from stetho.testing import make_window

FLAT = {"feature_mean": None, "feature_std": None}


def apart(train: dict[str, object], other: dict[str, object]) -> str | None:
    window = make_window(batch=train, eval_batch=other)
    return shift_between(window.batches("train"), window.batches("eval"), 2.0, 1.0)


@pytest.mark.parametrize(
    ("other", "words"),
    [({"std": 4.0, "mean": 0.0}, "a factor of 4"), ({"std": 1.0, "mean": -3.0}, "3 deviations apart")],
)
def test_says_how_far_scale_and_mean_are_apart(other: dict[str, object], words: str) -> None:
    assert apart(FLAT | {"std": 1.0, "mean": 0.0}, FLAT | other) == words


@pytest.mark.parametrize(("odd", "words"), [(8, "in 8 of 8 features"), (5, "in 5 of 8 features"), (4, None)])
def test_counts_features_and_asks_for_most_of_them(odd: int, words: str | None) -> None:
    usual = {"feature_mean": [0.0] * 8, "feature_std": [1.0] * 8}
    other = {"feature_mean": [4.0] * odd + [0.0] * (8 - odd), "feature_std": [1.0] * 8}
    assert apart(usual, other) == words


def test_leaves_a_constant_input_to_another_check() -> None:
    assert apart(FLAT | {"std": 0.0, "mean": 0.0}, FLAT | {"std": 0.6, "mean": 1.0}) is None


@pytest.mark.parametrize(
    ("mean", "odd", "words"), [(0.5, 1, None), (16.0, 1, "a factor of 5"), (0.5, 5, "a factor of 5")]
)
def test_rare_values_of_a_feature_that_hardly_varies_are_no_other_scale(mean: float, odd: int, words: str) -> None:
    usual = {"std": 1.0, "mean": 0.0, "feature_mean": [0.0] * 16, "feature_std": [1.0] * 16}
    other = {"feature_mean": [mean] * odd + [0.0] * (16 - odd), "feature_std": [20.0] * odd + [1.0] * (16 - odd)}
    assert apart(usual, {"std": 5.0, "mean": 0.0} | other) == words
