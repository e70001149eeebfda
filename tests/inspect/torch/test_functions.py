"""Tests of names of functions and their arguments."""

import pytest
import torch
from torch import Tensor
from torch.nn import functional

from stetho.inspect.torch.functions import argument_names, full_name, is_quiet, is_told, name_of, writes


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (Tensor.__radd__, "add"),
        (Tensor.__iadd__, "add"),
        (Tensor.__getitem__, "getitem"),
        (Tensor.__invert__, "invert"),
        (torch.relu_, "relu"),
        (Tensor.T.__get__, "T"),
        (torch.ops.aten._softmax.default, "softmax"),
        (len, "len"),
    ],
)
def test_names_are_those_that_people_know(function: object, name: str) -> None:
    assert name_of(function) == name


def test_full_names_can_be_found() -> None:
    assert full_name(functional.gelu) == "torch.nn.functional.gelu"
    assert full_name(Tensor.T.__get__) == "torch.Tensor.T"


@pytest.mark.parametrize(
    ("function", "names"),
    [
        (functional.dropout, ("input", "p", "training", "inplace")),
        (functional.max_pool2d, ("self", "kernel_size", "stride", "padding", "dilation", "ceil_mode")),
        (torch.ops.aten.tanh.default, ("self",)),
        (torch.is_grad_enabled, ()),
    ],
)
def test_arguments_are_named_from_signature_or_schema(function: object, names: tuple[str, ...]) -> None:
    assert argument_names(function) == names


def test_what_computes_nothing_is_quiet_and_what_python_reads_is_told() -> None:
    assert is_quiet(Tensor.requires_grad_)
    assert not is_quiet(Tensor.relu_)
    assert is_told(Tensor.item)
    assert not is_told(Tensor.size)
    assert writes(Tensor.__setitem__)
