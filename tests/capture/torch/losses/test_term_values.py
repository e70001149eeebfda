"""The values of the terms of a loss."""

import torch
from torch import nn
from torch.nn import functional

from stetho.capture.torch.losses.term_values import KEPT, TermValues

from ..conftest import batch, sgd


def test_of_a_long_run_every_so_many_values_are_kept():
    values = TermValues()
    for step in range(1, 501):
        values.add(step, torch.tensor(float(step)))
    facts = values.facts()
    assert len(facts["values"]) <= KEPT
    assert facts["values"] == facts["value_steps"]
    assert facts["value_steps"][-1] > 450


def test_of_several_calls_in_a_step_the_first_counts_and_only_numbers_do():
    values = TermValues()
    values.add(1, torch.tensor(2.0))
    values.add(1, torch.tensor(3.0))
    values.add(2, torch.ones(4))
    assert values.facts() == {"value_steps": [1], "values": [2.0]}


def trained(model, loss_of, steps=3):
    optimizer = sgd(model)
    x, y = batch(5)
    for _ in range(steps):
        optimizer.zero_grad()
        loss_of(model(x), y).backward()
        optimizer.step()


def test_each_term_of_a_loss_is_followed(record):
    def loss_of(scores, y):
        size = functional.mse_loss(scores, torch.zeros_like(scores), reduction="sum")
        return functional.cross_entropy(scores, y) + size

    first, second = record(lambda: trained(nn.Linear(4, 2), loss_of)).model["losses"]
    assert first["value_steps"] == second["value_steps"] == [1, 2, 3]
    assert len(first["values"]) == 3


def test_a_single_loss_is_not_written_twice(record):
    run = record(lambda: trained(nn.Linear(4, 2), functional.cross_entropy))
    assert all("values" not in loss for loss in run.model["losses"])
