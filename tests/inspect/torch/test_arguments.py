"""Tests of tensors that are made for a model."""

from typing import Any

import pytest
import torch
from torch import nn

from stetho.errors import UsageError
from stetho.inspect.call import Call
from stetho.inspect.specs import TensorSpec
from stetho.inspect.torch.arguments import filled, first_batch, made, own_example


class Example(nn.Linear):
    """A model that brings an input of its own."""

    def __init__(self, name: str, value: Any) -> None:
        super().__init__(2, 1)
        setattr(self, name, value)


def test_shapes_are_filled_wherever_they_stand() -> None:
    call = filled(nn.Linear(1, 1), Call(([TensorSpec((2,))],), {"batch": {"x": TensorSpec((3,)), "n": 4}}))
    assert call.args[0][0].shape == (2,)
    assert call.kwargs["batch"]["x"].shape == (3,)
    assert call.kwargs["batch"]["n"] == 4


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "complex64", "int32", "uint8", "bool"])
def test_makes_every_type(dtype: str) -> None:
    tensor = made(TensorSpec((2, 2), dtype), torch.float32, torch.Generator())
    assert tensor.dtype == getattr(torch, dtype)


def test_tensors_lie_where_the_model_lies() -> None:
    assert filled(nn.Linear(1, 1, device="meta"), Call((TensorSpec((2,)),))).args[0].is_meta


def test_an_empty_loader_is_one_clear_error() -> None:
    with pytest.raises(UsageError, match="empty"):
        first_batch([])


def test_an_example_of_the_models_own_is_used() -> None:
    one = torch.ones(1, 2)
    assert own_example(Example("example_input_array", one)) == Call((one,))
    by_name = own_example(Example("dummy_inputs", {"input": one}))
    assert by_name is not None
    assert by_name.kwargs["input"] is one
    assert own_example(nn.Linear(1, 1)) is None
