"""The line where the code of a variational model is drawn."""

from pathlib import Path

import pytest
import torch
from torch import nn
from torch.distributions import Normal

from ..conftest import batch, sgd


class Variational(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = nn.Linear(4, 3)
        self.decoder = nn.Linear(3, 2)

    def forward(self, x):
        code = Normal(self.mean(x), 1.0).rsample()
        return self.decoder(code)


class Sampled(Variational):
    def forward(self, x):
        code = Normal(self.mean(x), 1.0).sample()
        return self.decoder(code)


class Drawn(Variational):
    def forward(self, x):
        code = torch.normal(self.mean(x), 1.0)
        return self.decoder(code)


def trained(kind):
    model = kind()
    optimizer = sgd(model)
    x, y = batch(5)
    for _ in range(3):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()


@pytest.mark.parametrize(("kind", "drawn"), [(Sampled, "sample()"), (Drawn, "torch.normal")])
def test_the_line_of_a_draw_without_a_way_back_is_told(record, kind, drawn):
    [place] = record(lambda: trained(kind)).model["lines"]["drawn"]
    file, _, line = place.rpartition(":")
    assert drawn in Path(file).read_text().splitlines()[int(line) - 1]


def test_a_draw_that_keeps_the_graph_is_none(record):
    assert "drawn" not in record(lambda: trained(Variational)).model["lines"]
