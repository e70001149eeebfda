"""Tests of tensors: every kind of them as numbers."""

import pytest
import torch

from stetho.pipeline.torch.tensors import tensor_array


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float8_e4m3fn, torch.uint8, torch.bool])
def test_every_type_is_read(dtype):
    assert tensor_array(torch.tensor([0.0, 1.0]).to(dtype)).tolist() == [0.0, 1.0]


def test_gradients_sparse_layouts_and_complex_numbers_are_no_hindrance():
    assert tensor_array(torch.ones(2, requires_grad=True)).tolist() == [1.0, 1.0]
    assert tensor_array(torch.eye(2).to_sparse()).tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert tensor_array(torch.tensor([1 + 2j]).conj()).tolist() == [[1.0, -2.0]]


def test_a_nested_tensor_is_read_as_a_row():
    ragged = torch.nested.nested_tensor([torch.ones(2), torch.zeros(1)], layout=torch.jagged)
    assert sorted(tensor_array(ragged).tolist()) == [0.0, 1.0, 1.0]


def test_a_tensor_without_data_has_none():
    assert tensor_array(torch.empty(2, device="meta")) is None
