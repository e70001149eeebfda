"""Lines that set the values of parameters."""

from pathlib import Path

import torch
from torch import Tensor, nn

from stetho.capture.guard import Guard
from stetho.capture.torch.models.initialised import Initialised

from ..conftest import mlp, sgd, train


def source(line):
    file, _, number = line.rpartition(":")
    return Path(file).read_text().splitlines()[int(number) - 1].strip()


def test_only_what_the_program_sets_itself_is_known():
    before = nn.init.normal_, Tensor.fill_
    initialised = Initialised(Guard(lambda *_: None))
    initialised.install()
    layer = nn.Linear(4, 3)
    other = nn.Linear(4, 3)
    nn.init.normal_(layer.weight, std=3.0)
    layer.bias.data.fill_(1.0)
    initialised.stop()
    assert (nn.init.normal_, Tensor.fill_) == before
    nn.init.zeros_(other.weight)
    assert source(initialised.line(layer.weight)) == "nn.init.normal_(layer.weight, std=3.0)"
    assert source(initialised.line(layer.bias)) == "layer.bias.data.fill_(1.0)"
    assert initialised.line(other.weight) is None
    initialised.clear()
    assert initialised.line(layer.weight) is None


def test_a_run_says_where_parameters_were_set(record):
    def program():
        model = mlp()
        nn.init.uniform_(model[0].weight)
        train(model, sgd(model))
        torch.nn.init.zeros_(model[2].weight)

    parameters = {one["name"]: one["initialised"] for one in record(program).model["models"][0]["parameters"]}
    assert source(parameters["0.weight"]) == "nn.init.uniform_(model[0].weight)"
    assert parameters["2.weight"] is None


class Adapter(nn.Module):
    def __init__(self):
        super().__init__()
        self.low = nn.Parameter(torch.empty(4, 4))
        nn.init.zeros_(self.low)

    def forward(self, x):
        return x @ self.low


def test_a_run_says_where_an_adapter_was_set_that_was_made_after_a_first_training(record):
    def program():
        model = mlp()
        train(model, sgd(model))
        model[0] = nn.Sequential(Adapter(), model[0])
        train(model, sgd(model))

    parameters = {one["name"]: one["initialised"] for one in record(program).model["models"][0]["parameters"]}
    assert source(parameters["0.0.low"]) == "nn.init.zeros_(self.low)"
