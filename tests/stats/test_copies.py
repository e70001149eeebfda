"""What has changed in tensors since they were copied."""

import pytest
import torch

from stetho.stats.copies import RUN, Copies


def changes(copies, tensors):
    return [change.mean().item() for change in copies.differences(tensors)]


def test_a_change_is_the_tensor_less_its_copy():
    tensors = [torch.ones(3), torch.zeros(2, 2)]
    copies = Copies(100)
    copies.keep(tensors)
    tensors[0].add_(1.0)
    tensors[1].sub_(3.0)
    assert changes(copies, tensors) == [1.0, -3.0]


def test_the_last_copy_counts():
    tensor = torch.zeros(3)
    copies = Copies(100)
    copies.keep([tensor])
    copies.keep([tensor.add_(1.0)])
    assert changes(copies, [tensor.add_(1.0)]) == [1.0]


@pytest.mark.parametrize("layout", ["in one piece", "turned"])
def test_a_large_tensor_is_sampled_over_its_whole_length(layout):
    tensor = torch.zeros(50, 40) if layout == "in one piece" else torch.zeros(40, 50).t()
    copies = Copies(500)
    copies.keep([tensor])
    (change,) = copies.differences([tensor + torch.arange(2000.0).reshape(50, 40)])
    assert change.tolist() == [place for place in range(2000) if place % (4 * RUN) < RUN]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_a_sample_of_one_run_is_a_copy_as_well(dtype):
    tensor = torch.zeros(2 * RUN, dtype=dtype)
    copies = Copies(RUN)
    copies.keep([tensor])
    (change,) = copies.differences([tensor.add_(1.0)])
    assert change.tolist() == [1.0] * RUN
    assert tensor.tolist() == [1.0] * (2 * RUN)


def test_a_tensor_that_is_laid_out_in_another_way_by_now_is_compared_in_its_own_order():
    values = torch.arange(6.0).reshape(2, 3)
    copies = Copies(100)
    copies.keep([values])
    assert copies.differences([values.t().contiguous().t().add(1.0)])[0].tolist() == [1.0] * 6


def test_infinity_less_infinity_is_no_number_and_no_warning():
    tensor = torch.tensor([float("inf")])
    copies = Copies(100)
    copies.keep([tensor])
    assert str(copies.differences([tensor])[0].tolist()) == "[nan]"


def test_the_gradient_is_left_alone():
    parameter = torch.nn.Parameter(torch.ones(3))
    copies = Copies(100)
    copies.keep([parameter])
    (change,) = copies.differences([parameter])
    assert not torch.as_tensor(change).requires_grad


@pytest.mark.parametrize("other", [torch.ones(4), torch.ones(3, dtype=torch.float64), torch.ones(3, device="meta")])
def test_a_tensor_of_another_form_has_no_change(other):
    copies = Copies(100)
    copies.keep([torch.ones(3)])
    assert copies.differences([other]) == [None]


def test_nothing_is_kept_after_clearing():
    copies = Copies(100)
    copies.keep([torch.ones(3)])
    copies.clear()
    assert copies.differences([]) == []
