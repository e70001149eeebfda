"""What an optimizer is given, as plain numbers."""

import json

import pytest
import torch
from torch import nn

from stetho.capture.torch.updates.settings import learning_rates, parameters_of, plain


def test_parameters_of_all_groups_are_in_their_order():
    first, second = nn.Linear(2, 2), nn.Linear(2, 1)
    groups = [{"params": first.parameters()}, {"params": second.parameters()}]
    held = parameters_of(torch.optim.SGD(groups, lr=0.1))
    assert [id(each) for each in held] == [id(each) for each in (*first.parameters(), *second.parameters())]


@pytest.mark.parametrize(
    "value", [0.1, 3, True, None, "text", (0.9, 0.99), [None, torch.tensor(2.0)], torch.ones(3), print, {1, 2}]
)
def test_any_hyperparameter_can_be_written_down(value):
    assert json.loads(json.dumps(plain(value))) == plain(value)


def test_a_learning_rate_may_be_a_tensor():
    rates = [group["lr"] for group in torch.optim.SGD([torch.ones(1)], lr=torch.tensor(0.5)).param_groups]
    assert learning_rates(torch.optim.SGD([torch.ones(1)], lr=rates[0])) == [0.5]
