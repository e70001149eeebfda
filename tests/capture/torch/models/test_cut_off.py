"""The line behind a layer that takes its output out of the graph."""

from pathlib import Path

import torch
from torch import nn

from ..conftest import batch, sgd


class Cut(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 3), nn.Tanh())
        self.head = nn.Linear(3, 2)

    def forward(self, x):
        features = self.body(x)
        values = features.tolist()
        return self.head(torch.tensor(values))


class Whole(Cut):
    def forward(self, x):
        return self.head(self.body(x))


def trained(kind):
    model = kind()
    optimizer = sgd(model)
    x, y = batch(5)
    for _ in range(3):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()


def cuts(run):
    return {layer["name"]: layer["cut"] for layer in run.model["models"][0]["layers"]}


def test_a_layer_behind_which_the_graph_is_cut_tells_the_line(record):
    found = cuts(record(lambda: trained(Cut)))
    file, _, line = found["body.0"].rpartition(":")
    assert Path(file).read_text().splitlines()[int(line) - 1].strip() == "values = features.tolist()"
    assert found["head"] is None


def test_layers_that_are_reached_are_cut_nowhere(record):
    assert set(cuts(record(lambda: trained(Whole))).values()) == {None}


class Moments(nn.Module):
    """A cell that is called at four moments."""

    def __init__(self):
        super().__init__()
        self.cell = nn.Linear(4, 4)
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        h = torch.zeros_like(x)
        for _ in range(4):
            h = torch.tanh(self.cell(x + h))
            h = h.detach() + 0 * self.cell(x)
        return self.head(h)


class Forgetful(Moments):
    def forward(self, x):
        h = torch.zeros_like(x)
        for moment in range(4):
            h = torch.tanh(self.cell(h))
            h = h.detach() if moment < 3 else h
        return self.head(h)


def test_a_layer_whose_state_is_cut_between_two_calls_tells_the_line(record):
    found = cuts(record(lambda: trained(Forgetful)))
    file, _, line = found["cell"].rpartition(":")
    assert Path(file).read_text().splitlines()[int(line) - 1].strip() == "h = h.detach() if moment < 3 else h"


def test_a_layer_that_some_of_its_own_output_comes_back_to_is_not_cut(record):
    assert cuts(record(lambda: trained(Moments)))["cell"] is None
