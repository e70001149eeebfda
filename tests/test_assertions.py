"""Assertions inside of models: the tensor passes through, or the message says what, how many and where."""

import pytest
import torch
from torch import nn

from stetho import assert_finite, assert_shape


def test_a_good_tensor_passes_through_unchanged() -> None:
    tensor = torch.randn(4, 3, requires_grad=True)
    assert assert_finite(tensor) is tensor
    assert assert_shape(tensor, (4, 3)) is tensor


def test_takes_integers_and_empty_tensors_as_finite() -> None:
    assert_finite(torch.arange(3))
    assert_finite(torch.empty(0, 3))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([1.0, float("nan")], "`hidden` (float32[2]) has 1 value of 2 that is not finite: nan at [1]"),
        (
            [float("inf"), float("-inf")],
            "`hidden` (float32[2]) has 2 values of 2 that are not finite: inf at [0], -inf at [1]",
        ),
    ],
)
def test_tells_which_values_are_not_finite(values: list[float], message: str) -> None:
    with pytest.raises(AssertionError) as raised:
        assert_finite(torch.tensor(values), "hidden")
    assert str(raised.value) == message


def test_names_the_first_few_places_of_many() -> None:
    with pytest.raises(AssertionError, match=r"has 100 values of 100 .*: nan at \[0\], nan at \[1\], nan at \[2\], …$"):
        assert_finite(torch.full((100,), float("nan")))


def test_a_name_in_a_shape_means_the_same_size_everywhere() -> None:
    assert_shape(torch.zeros(5, 2, 5), ("n", None, "n"))
    with pytest.raises(AssertionError, match=r"`matrix` has shape \[4, 3\], expected \[n, n\]: axis 1 is 3, n is 4"):
        assert_shape(torch.zeros(4, 3), ("n", "n"), "matrix")


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        ((4, 5), r"has shape \[4, 3\], expected \[4, 5\]: axis 1 is 3, not 5"),
        ((4,), r"has shape \[4, 3\], expected \[4\]: 2 axes instead of 1"),
    ],
)
def test_tells_what_is_wrong_with_a_shape(shape: tuple[int, ...], message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        assert_shape(torch.zeros(4, 3), shape)


def test_gradients_flow_through_an_assertion() -> None:
    layer = nn.Linear(3, 2)
    assert_finite(assert_shape(layer(torch.ones(4, 3)), ("batch", 2))).sum().backward()
    assert layer.weight.grad is not None
