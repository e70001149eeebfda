"""What a model carries from call to call, as it was before a call."""

import copy
import gc
import weakref

import torch
from torch import nn

from stetho.capture.torch.autopsy.carried import LARGEST, Carriers


class Counting(nn.Module):
    """Carries a buffer, a tensor, a count and a result; and has a table that is too large to be kept."""

    def __init__(self):
        super().__init__()
        self.inner = nn.BatchNorm1d(2)
        self.register_buffer("seen", torch.zeros(()))
        self.register_buffer("table", torch.zeros(LARGEST // 4 + 1))
        self.mean, self.calls, self.last = torch.zeros(2), 0, None

    def forward(self, x):
        self.seen += 1
        self.calls += 1
        self.mean = 0.5 * self.mean + 0.5 * x.detach().mean(0)
        self.last = self.inner(x)
        return self.last


def given_back(model, carried):
    """The model as a copy of it is after it was given what is carried."""
    stand_in = copy.deepcopy(model)
    for each in carried:
        list(each.put_into(stand_in))
    return stand_in


def test_what_a_call_changes_is_as_it_was_before_it():
    model = Counting()
    carried = Carriers().now(model)
    with torch.no_grad():
        model(torch.ones(4, 2))
    again = given_back(model, carried)
    assert (again.seen.item(), again.calls, again.mean.tolist(), again.last) == (0, 0, [0, 0], None)
    assert (model.seen.item(), model.calls) == (1, 1)


def test_only_small_tensors_of_the_programs_own_modules_are_kept():
    (carried,) = Carriers().now(Counting())
    assert set(carried.buffers) == {"seen"}
    assert set(carried.attributes) == {"mean", "calls", "last"}


def test_a_result_of_an_earlier_call_is_left_where_it_is():
    model, carriers = Counting(), Carriers()
    carriers.now(model)
    model(torch.ones(4, 2))
    (carried,) = carriers.now(model)
    assert set(carried.attributes) == {"mean", "calls"}


def test_what_stands_for_a_buffer_is_told():
    model = Counting()
    (carried,) = Carriers().now(model)
    ((now, again),) = carried.put_into(copy.deepcopy(model))
    assert now is model.seen
    assert again is not now


def test_a_model_is_not_kept_alive():
    model, carriers = Counting(), Carriers()
    carriers.now(model)
    dead = weakref.ref(model)
    del model
    gc.collect()
    assert dead() is None


def test_what_was_not_written_to_is_copied_once():
    model, carriers = Counting(), Carriers()
    first, second = carriers.now(model)[0], carriers.now(model)[0]
    assert first.buffers["seen"] is second.buffers["seen"]
    model.seen += 1
    model.mean = torch.ones(2)
    third = carriers.now(model)[0]
    assert (first.buffers["seen"].item(), third.buffers["seen"].item()) == (0, 1)
    assert third.attributes["mean"].tolist() == [1, 1]
