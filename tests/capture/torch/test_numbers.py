"""Single numbers out of tensors."""

from math import isnan

import pytest
import torch

from stetho.capture.torch.numbers import fetch_numbers, number


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16, torch.int64, torch.bool])
def test_a_number_on_the_cpu_is_there_at_once(dtype):
    found = number(torch.ones(1, 1, dtype=dtype))
    assert found == 1.0
    assert type(found) is float


def test_a_number_elsewhere_is_a_copy_without_history():
    tensor = torch.ones((), device="meta", requires_grad=True) * 2
    found = number(tensor)
    assert isinstance(found, torch.Tensor)
    assert not found.requires_grad
    assert found is not tensor


def test_numbers_come_back_in_their_order():
    tensors = [torch.tensor(1.5), torch.tensor([[2]]), torch.tensor(float("nan")), torch.tensor(True)]
    one, two, three, four = fetch_numbers(tensors)
    assert (one, two, four) == (1.5, 2.0, 1.0)
    assert isnan(three)


def test_nothing_gives_nothing():
    assert fetch_numbers([]) == []
