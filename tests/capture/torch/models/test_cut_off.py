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
