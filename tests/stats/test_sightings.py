"""Tensors that are seen one after another: both kernels give the same, and never an old value for a new one."""

import gc

import numpy as np
import pytest
import torch
from torch import Tensor

from stetho.stats import kernel, sightings

KINDS = [sightings.Sightings] + ([kernel.Sightings] if kernel.NAME == "native" else [])


@pytest.fixture(params=KINDS, ids=lambda kind: kind.__module__.rpartition(".")[2])
def seen(request):
    return request.param(lambda tensor: f"unread {tensor.dtype}")


def mean(seen, tensor):
    return seen.fact(seen.see(tensor))[2].mean


def test_finds_tensors_in_nested_values(seen):
    first = seen.see((torch.zeros(2), [torch.ones(3), None], 1.0), {"mask": torch.ones(1, 2, dtype=torch.bool)})
    assert (first, len(seen)) == (0, 3)
    assert [seen.fact(number)[:2] for number in range(3)] == [("float32", (2,)), ("float32", (3,)), ("bool", (1, 2))]
    assert seen.all_finite


@pytest.mark.parametrize("dtype", [torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.uint8])
def test_both_give_the_same(dtype):
    tensor = (torch.arange(60).reshape(3, 4, 5) * 0.5).to(dtype)
    views = [tensor, tensor.transpose(0, 2), tensor[:, ::2], tensor[1], tensor[:, :1].expand(3, 9, 5), tensor[:0]]
    facts = []
    for kind in KINDS:
        seen = kind(str)
        seen.see(views)
        facts.append([seen.fact(number) for number in range(len(seen))])
    assert all(each == facts[0] for each in facts)


def test_a_view_of_another_part_is_another_tensor(seen):
    tensor = torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).reshape(2, 3)
    assert [mean(seen, view) for view in (tensor, tensor[0], tensor[:, 0], tensor[1], tensor.T)] == [
        3.5,
        2,
        2.5,
        5,
        3.5,
    ]


def test_what_is_written_through_a_view_is_new_in_the_whole(seen):
    tensor = torch.ones(1000)
    assert mean(seen, tensor) == 1
    part = tensor[3:4].fill_(1001.0)
    seen.see_new(part)
    assert mean(seen, tensor) == 2
    tensor[500] = 2001.0
    seen.written([tensor[500:501], None])
    assert mean(seen, tensor) == 4


def test_bad_values_are_told(seen):
    seen.see(torch.tensor([1.0, float("nan")]))
    assert not seen.all_finite
    seen.see(torch.ones(1))
    assert seen.all_finite
    number = seen.see(torch.tensor([1.0, float("inf")]))
    assert (seen.all_finite, seen.fact(number)[2].infs) == (False, 1)


def test_a_tensor_that_cannot_be_read_is_described_and_may_be_bad(seen):
    number = seen.see(torch.zeros(2, device="meta"))
    assert (seen.fact(number), seen.all_finite) == ("unread torch.float32", False)


def test_memory_that_holds_something_else_unheard_is_measured_again(seen):
    buffer = np.ones(4096, np.float32)
    assert mean(seen, torch.from_numpy(buffer)) == 1
    buffer[:] = 3
    assert mean(seen, torch.from_numpy(buffer)) == 3


def test_many_tensors_keep_their_numbers_apart(seen):
    tensors = [torch.full((3,), float(number)) for number in range(2000)]
    assert (seen.see(tensors), seen.see(tensors)) == (0, 2000)
    assert [seen.fact(number)[2].mean for number in range(4000)] == [*range(2000), *range(2000)]


def test_begins_anew(seen):
    seen.see(torch.ones(2))
    seen.clear()
    with pytest.raises(IndexError):
        seen.fact(0)
    assert (seen.see(torch.zeros(0), torch.tensor(2.0)), len(seen)) == (0, 2)
    assert seen.fact(1)[2].mean == 2


def test_keeps_no_tensor_alive(seen):
    tensor = torch.ones(5)
    seen.see(tensor)
    assert not [each for each in gc.get_referrers(tensor) if isinstance(each, Tensor)]
    shape = tensor.shape
    del tensor
    assert seen.fact(0)[1] == shape


def test_an_error_of_the_description_is_told():
    for kind in KINDS:
        with pytest.raises(ZeroDivisionError):
            kind(lambda _: 1 / 0).see(torch.zeros(1, device="meta"))
