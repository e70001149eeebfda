"""Gradients that the program spoils after the backward pass."""

import torch
from torch import nn

from stetho.capture.torch.autopsy.changed import changed_gradient
from stetho.capture.torch.autopsy.kept import BackwardCall, RootCall


def events_of(model):
    call = RootCall(model, "", (), {}, None, True, True, [], ())
    return [call, BackwardCall(torch.zeros(()), "gone.py:1")]


def test_the_first_bad_gradient_is_named():
    model = nn.Linear(2, 1)
    model(torch.ones(1, 2)).sum().backward()
    model.bias.grad.fill_(float("nan"))
    found = changed_gradient(events_of(model), None)
    assert (found["phase"], found["name"], found["line"]) == ("changed gradient", "bias", "gone.py:1")
    assert (found["index"], found["result"]) == ([0], "nan")


def test_a_part_of_a_model_is_named_from_the_top():
    model = nn.Linear(2, 1)
    model.weight.grad = torch.full((1, 2), float("nan"))
    call = RootCall(model, "head.0", (), {}, None, True, True, [], ())
    found = changed_gradient([call, BackwardCall(torch.zeros(()), "gone.py:1")], None)
    assert found["name"] == "head.0.weight"


def test_where_all_are_finite_nothing_is_said():
    model = nn.Linear(2, 1)
    model(torch.ones(1, 2)).sum().backward()
    assert changed_gradient(events_of(model), None) == {}
