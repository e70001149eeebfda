"""Recurrent layers that begin with the state they ended with."""

import torch
from torch import nn

from ..conftest import sgd


class Stateful(nn.Module):
    """An LSTM that keeps its state as the test wants it."""

    def __init__(self, keep):
        super().__init__()
        self.rnn = nn.LSTM(2, 3, batch_first=True)
        self.keep = keep
        self.state = None

    def forward(self, x):
        output, state = self.rnn(x, self.state)
        self.state = self.keep(state)
        return output


def counted(record, model, steps=5, name="rnn"):
    optimizer = sgd(model)

    def program():
        for _ in range(steps):
            optimizer.zero_grad()
            model(torch.randn(4, 6, 2)).sum().backward()
            optimizer.step()

    run = record(program, model, optimizer)
    (layer,) = [layer for layer in run.model["models"][0]["layers"] if layer["name"] == name]
    return layer["begun"], layer["carried"], layer["blank"]


def test_a_state_that_is_carried_is_known_again(record):
    assert counted(record, Stateful(lambda state: tuple(part.detach() for part in state))) == (4, 4, 0)


def test_a_copy_of_a_state_is_known_again(record):
    assert counted(record, Stateful(lambda state: tuple(part.detach().clone() for part in state))) == (4, 4, 0)


def test_a_fresh_state_is_not_a_carried_one(record):
    assert counted(record, Stateful(lambda state: tuple(torch.zeros_like(part) for part in state))) == (4, 0, 4)
    assert counted(record, Stateful(lambda _: None)) == (4, 0, 4)


def test_another_state_is_neither_carried_nor_blank(record):
    assert counted(record, Stateful(lambda state: tuple(torch.ones_like(part) for part in state))) == (4, 0, 0)


class Cell(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(2, 3)

    def forward(self, x):
        state = torch.zeros(len(x), 3)
        for moment in x.unbind(1):
            state = self.cell(moment, state)
        return state


def test_the_moments_of_one_sequence_are_no_steps(record):
    assert counted(record, Cell(), name="cell") == (4, 0, 4)
