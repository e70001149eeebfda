"""The finite check: every output, gradient and parameter of every step, and nothing to say of a sound training."""

import pytest
import torch
from torch import nn

from ..conftest import batch, mlp, sgd, train


def notes(run):
    return [note["text"] for note in run.notes if note["kind"] == "not finite"]


class Breaking(nn.Module):
    """Gives a bad value from one call on, which nothing after it shows."""

    def __init__(self, value, first):
        super().__init__()
        self.value, self.left = value, first

    def forward(self, x):
        self.left -= 1
        return torch.where(torch.arange(x.shape[-1]) == 0, self.value, x) if self.left < 0 else x


class Hiding(nn.Module):
    def forward(self, x):
        return x.nan_to_num(0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("value", "said"), [(torch.nan, "NaN"), (torch.inf, "infinite values"), (-torch.inf, "minus infinity")]
)
def test_an_output_is_found_in_a_step_that_the_budget_would_not_pay_for(record, value, said):
    model = nn.Sequential(nn.Linear(4, 3), Breaking(value, 7), Hiding(), nn.Linear(3, 2))
    run = record(lambda: train(model, sgd(model), 12), model, finite=True, grace_steps=1, grace_seconds=0.0)
    assert notes(run) == [f"step 8: the output of `1` holds {said}"]


def test_gradients_and_parameters_are_found(record):
    model = mlp()
    optimizer = sgd(model)

    def program():
        train(model, optimizer, 3)
        x, _ = batch()
        out = model(x)
        out.register_hook(lambda gradient: gradient * torch.inf)
        out.square().sum().backward()
        optimizer.step()
        train(model, optimizer, 1)

    run = record(program, model, optimizer, finite=True, every=100)
    said = notes(run)
    assert any(text.startswith("step 4: the gradient of the output of `1`") for text in said)
    assert "step 5: the parameter `0.weight` holds NaN" in said
    assert len(said) == len(set(said))


def test_nothing_is_said_of_a_sound_training(record):
    model = mlp()
    run = record(lambda: train(model, sgd(model), 5), model, finite=True)
    assert notes(run) == []


def test_nobody_looks_unless_asked_to(record):
    model = nn.Sequential(nn.Linear(4, 3), Breaking(torch.nan, 0), Hiding(), nn.Linear(3, 2))
    assert notes(record(lambda: train(model, sgd(model), 2), model)) == []
