"""What is said of two places that differ."""

import numpy as np
import pytest

from stetho.comparing.models.reasons import relation, settings
from stetho.comparing.models.trace import OPERATION, Site

X = np.array([1.0, -2.0, 3.0])


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (2 * X, ["it is 2 times the first, at every element"]),
        (X + 0.5, ["it is larger by 0.5, at every element"]),
        (np.array([1.0, -np.inf, 3.0]), ["1 of 3 elements are masked on one side only"]),
        (X**2, []),
        (X.copy(), []),
    ],
)
def test_a_simple_rule_between_values_is_seen(other: np.ndarray, words: list[str]) -> None:
    assert list(relation("it", X, other)) == words


def test_settings_are_compared_for_the_same_operation_alone() -> None:
    one = Site(1, OPERATION, "norm", "", X, arguments={"eps": 1e-5, "inplace": True})
    other = Site(1, OPERATION, "norm", "", X, arguments={"eps": 1e-6, "inplace": False})
    assert list(settings(one, other)) == ["`eps` is 1e-05 in the first, 1e-06 in the second"]
    assert list(settings(one, Site(1, OPERATION, "mul", "", X, arguments={"eps": 1}))) == []


def test_lists_of_numbers_are_settings_and_sizes_are_none() -> None:
    one = Site(0, OPERATION, "conv2d", "", X, arguments={"stride": [2, 2], "padding": [1, 1], "size": [2, 3]})
    other = Site(0, OPERATION, "conv2d", "", X, arguments={"stride": 2, "padding": [0, 0], "size": [3, 2]})
    assert list(settings(one, other)) == ["`padding` is [1, 1] in the first, [0, 0] in the second"]
