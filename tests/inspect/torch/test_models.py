"""Tests of the facts of a model that its inputs depend on."""

import torch
from torch import nn

from stetho.inspect.torch.models import device_of, dtype_of, is_model


def test_a_class_is_no_model() -> None:
    assert is_model(nn.ReLU())
    assert not is_model(nn.ReLU)


def test_device_and_type_are_those_of_the_first_parameter() -> None:
    model = nn.Linear(1, 1, device="meta", dtype=torch.bfloat16)
    assert (device_of(model).type, dtype_of(model)) == ("meta", torch.bfloat16)


def test_a_model_without_parameters_takes_what_is_usual() -> None:
    assert (device_of(nn.ReLU()).type, dtype_of(nn.ReLU())) == ("cpu", torch.float32)


def test_a_lazy_model_has_a_type() -> None:
    assert dtype_of(nn.LazyLinear(3)) == torch.float32
