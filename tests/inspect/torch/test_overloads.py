"""Tests of which form of a function is called."""

import pytest
import torch
from torch import Tensor

from stetho.inspect.torch.overloads import positional_names


@pytest.mark.parametrize(
    ("name", "kinds", "names"),
    [
        ("arange", (int,), ("end",)),
        ("arange", (int, int), ("start", "end")),
        ("max", (Tensor, Tensor), ("self", "other")),
        ("max", (Tensor, int, bool), ("self", "dim", "keepdim")),
        ("squeeze", (Tensor, int), ("self", "dim")),
        ("to", (Tensor, torch.dtype), ("self", "dtype")),
        ("conv2d", (Tensor, Tensor, type(None), int, int), ("input", "weight", "bias", "stride", "padding")),
        (
            "lstm",
            (Tensor, Tensor, tuple, list, bool, int),
            ("data", "batch_sizes", "hx", "params", "has_biases", "num_layers"),
        ),
        ("lstm", (Tensor, tuple, list, bool, int), ("input", "hx", "params", "has_biases", "num_layers")),
    ],
)
def test_arguments_have_the_names_of_the_form_that_takes_them(
    name: str, kinds: tuple[type, ...], names: tuple[str, ...]
) -> None:
    assert positional_names(name, kinds) == (names, False)


@pytest.mark.parametrize(
    ("name", "kinds", "names"),
    [
        ("view", (Tensor, int, int), ("self", "size")),
        ("permute", (Tensor, int, int, int), ("self", "dims")),
        ("zeros", (int, Tensor, int), ("size",)),
        ("einsum", (str, Tensor, Tensor), ("equation", "tensors")),
    ],
)
def test_what_is_given_in_a_row_is_one_list(name: str, kinds: tuple[type, ...], names: tuple[str, ...]) -> None:
    assert positional_names(name, kinds) == (names, True)


def test_what_no_form_takes_has_the_names_of_the_first_and_what_is_unknown_none() -> None:
    assert positional_names("tanh", (str,)) == (("self",), False)
    assert positional_names("no_such_operation", (Tensor,)) == ((), False)
