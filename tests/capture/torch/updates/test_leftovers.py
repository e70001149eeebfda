"""Gradients that one side of a pair of adversaries leaves in the other."""

import pytest
import torch
from torch import nn

from stetho.capture.torch.updates.leftovers import Leftovers


class Pair:
    def __init__(self):
        torch.manual_seed(0)
        self.made, self.judge = nn.Linear(3, 2), nn.Linear(2, 1)
        self.optimizers = [torch.optim.SGD(each.parameters(), lr=0.01) for each in (self.made, self.judge)]
        self.leftovers = Leftovers()

    def loss(self, *, detached):
        fake = self.made(1 + torch.rand(64, 3))
        self.leftovers.backward_begins(self.optimizers)
        return self.judge(fake.detach() if detached else fake).mean()

    def step(self, number):
        self.optimizers[number].step()
        self.leftovers.step_done(self.optimizers[number], number)

    def zero(self, *numbers):
        for number in numbers:
            self.optimizers[number].zero_grad()


def run(*, detached, zeroed_again=False):
    pair = Pair()
    for _ in range(6):
        pair.zero(0, 1)
        pair.loss(detached=detached).backward()
        pair.leftovers.backward_ends()
        pair.step(1)
        if zeroed_again:
            pair.zero(0)
        pair.loss(detached=False).neg().backward()
        pair.leftovers.backward_ends()
        pair.step(0)
    return pair.leftovers.result()


def test_what_the_judge_left_in_the_other_side_is_told():
    found = run(detached=False)
    assert (found["optimizer"], found["steps"], len(found["cosines"])) == (0, 6, 6)
    assert max(found["cosines"]) < -0.3
    assert found["left_at"] != found["used_at"]
    assert found["through_others"], "the judge is between the other side and its loss"


@pytest.mark.parametrize("way", [{"detached": True}, {"detached": False, "zeroed_again": True}])
def test_nothing_is_left_where_it_is_detached_or_set_to_zero(way):
    assert run(**way) is None


def test_gradients_that_are_set_to_zero_too_early_are_told():
    pair = Pair()
    for _ in range(6):
        pair.loss(detached=True).backward()
        pair.leftovers.backward_ends()
        pair.step(1)
        pair.zero(0, 1)
        pair.loss(detached=False).neg().backward()
        pair.leftovers.backward_ends()
        pair.step(0)
        pair.zero(0)
    found = pair.leftovers.result()
    assert (found["optimizer"], found["through_others"]) == (1, False)


def test_gradients_that_are_gathered_at_one_line_are_no_leftovers():
    pair = Pair()
    for number in range(8):
        pair.loss(detached=False).backward()
        pair.leftovers.backward_ends()
        pair.step(1)
        pair.zero(1)
        if number % 2:
            pair.step(0)
            pair.zero(0)
    assert pair.leftovers.result() is None


def test_one_optimizer_has_no_others():
    pair = Pair()
    pair.optimizers = pair.optimizers[:1]
    pair.loss(detached=False).backward()
    pair.leftovers.backward_ends()
    pair.step(0)
    pair.leftovers.clear()
    assert pair.leftovers.result() is None
