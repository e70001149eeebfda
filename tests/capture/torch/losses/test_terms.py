"""Losses of several terms, written by hand."""

import pytest
import torch
from torch import nn

from stetho.capture.torch.losses.terms import find_term

MODEL = nn.Linear(6, 3)
TARGET = torch.zeros(8, 3)


def found(loss):
    output = MODEL(torch.ones(8, 6))
    return find_term(loss(output).grad_fn, {output.grad_fn: output.detach()}), (output - TARGET).detach()


@pytest.mark.parametrize(
    ("loss", "part"),
    [
        (
            lambda output: ((output - TARGET) ** 2).mean() + MODEL.weight.pow(2).sum(),
            lambda apart: apart.square().mean(),
        ),
        (
            lambda output: (MODEL.weight.abs().sum() + 3 * (output - TARGET).square().sum()) / 8,
            lambda apart: 3 * apart.square().sum() / 8,
        ),
        (
            lambda output: 0.1 * MODEL.bias.exp().sum() + (TARGET - output).abs().mean(),
            lambda apart: apart.abs().mean(),
        ),
    ],
)
def test_the_term_with_the_targets_is_found_with_its_part_of_the_loss(loss, part):
    term, apart = found(loss)
    assert (term.call, torch.allclose(term.target, TARGET, atol=1e-6)) == ("hand_written_term", True)
    torch.testing.assert_close(term.value, part(apart))


@pytest.mark.parametrize(
    "loss",
    [
        lambda output: ((output - TARGET) ** 2).mean(),
        lambda output: output.exp().mean() + MODEL.weight.pow(2).sum(),
        lambda output: ((output - TARGET) ** 2).mean() * MODEL.weight.pow(2).sum(),
    ],
)
def test_nothing_is_said_of_other_losses(loss):
    assert found(loss)[0] is None
