"""What is said of two places that differ."""

import numpy as np
import pytest
import torch
from torch import nn

from stetho.comparing.models.compare import compare_models
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


class Block(nn.Module):
    """A layer with or without a norm in front of it."""

    def __init__(self, is_normed: bool) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.inner, self.outer = nn.Linear(6, 24), nn.Linear(24, 6)
        self.norm = nn.LayerNorm(6) if is_normed else nn.Identity()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.outer(self.inner(self.norm(x)).relu())


@pytest.mark.parametrize("is_first", [True, False])
def test_a_layer_that_one_model_lacks_is_named_whichever_it_is(is_first: bool) -> None:
    difference = compare_models(Block(is_first), Block(not is_first), (4, 6)).first_difference
    assert difference is not None
    told = " ".join(difference.reasons)
    assert "layer_norm in `norm`" in told
    assert "in another order" not in told
