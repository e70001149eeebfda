"""Differences of output and target in an autograd graph."""

import torch
from torch import nn

from stetho.capture.torch.losses.differences import difference, name_of, past

OUTPUT = nn.Linear(4, 2)(torch.ones(3, 4))
OUTPUTS = {OUTPUT.grad_fn: OUTPUT.detach()}
TARGET = torch.arange(6.0).reshape(3, 2)


def test_the_target_is_read_from_either_side():
    for apart in (OUTPUT - TARGET, TARGET - OUTPUT):
        found = difference(apart.square().grad_fn, apart.grad_fn, OUTPUTS)
        torch.testing.assert_close(found.target, TARGET)


def test_a_difference_of_two_outputs_has_no_target():
    apart = OUTPUT - OUTPUT.flip(0)
    assert difference(apart.square().grad_fn, apart.grad_fn, OUTPUTS) is None


def test_views_are_passed_on_the_way_to_the_output():
    assert past(OUTPUT.view(6).unsqueeze(0).grad_fn, ("View", "Unsqueeze"), OUTPUTS) is OUTPUT.grad_fn
    assert name_of(OUTPUT.exp().grad_fn) == "Exp"


def test_an_activation_behind_the_model_is_what_the_loss_sees():
    apart = OUTPUT.relu().squeeze(-1) - TARGET
    found = difference(apart.square().grad_fn, apart.grad_fn, OUTPUTS)
    torch.testing.assert_close(found.target, TARGET)
    torch.testing.assert_close(found.predicted, OUTPUT.relu())
