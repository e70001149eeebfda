"""Derivatives that a program takes for its loss."""

import pytest
import torch
from torch import nn

from stetho.capture.torch.losses.derivatives import EVENT

from ..conftest import sgd


def lines(record, derive):
    """Trains on a derivative; gives the lines that were noted."""
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1))
    optimizer = sgd(model)

    def program():
        for _ in range(3):
            x = torch.linspace(0, 1, 5).view(-1, 1).requires_grad_()
            optimizer.zero_grad()
            derive(model, x).backward()
            optimizer.step()

    return record(program, model, optimizer).model["lines"].get(EVENT, [])


def residual(**how):
    def loss(model, x):
        u = model(x)
        (slope,) = torch.autograd.grad(u, x, torch.ones_like(u), **how)
        return (slope + u).square().mean()

    return loss


def test_a_constant_derivative_is_noted_with_its_line(record):
    (line,) = lines(record, residual(retain_graph=True))
    assert "test_derivatives.py:" in line


def test_a_derivative_with_its_graph_is_fine(record):
    assert lines(record, residual(create_graph=True)) == []


def attack(model, x):
    loss = model(x).square().mean()
    (slope,) = torch.autograd.grad(loss, x, retain_graph=True)
    return loss + model(x + 0.1 * slope.sign()).square().mean()


def weighed(model, x):
    loss = model(x).square()
    (slope,) = torch.autograd.grad(loss, model[2].weight, torch.ones_like(loss), retain_graph=True)
    return loss.mean() * slope.norm()


@pytest.mark.parametrize("loss", [attack, weighed])
def test_gradients_of_a_loss_and_of_weights_are_wanted_as_numbers(record, loss):
    assert lines(record, loss) == []
