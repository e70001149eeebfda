"""model.json: models, optimizers, loaders, losses and lines, as far as they are known."""

from pathlib import Path

import torch
from torch import nn
from torch.nn import functional
from torch.utils.data import DataLoader, TensorDataset

from .conftest import batch, mlp, sgd, train


def source(place):
    file, _, line = place.rpartition(":")
    return Path(file).read_text().splitlines()[int(line) - 1].strip()


def program():
    frozen = nn.Linear(3, 2)
    frozen.requires_grad_(False)
    model = nn.Sequential(nn.Linear(4, 3), nn.Tanh(), frozen)
    optimizer = torch.optim.SGD(model[0].parameters(), lr=0.1)
    for x, y in DataLoader(TensorDataset(*batch(10)), batch_size=5):
        optimizer.zero_grad()
        loss = functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()


def test_a_model_is_described_though_its_function_has_returned(record):
    (model,) = record(program).model["models"]
    assert (model["class"], model["trained"], model["compiled"], model["wrapper"]) == ("Sequential", True, False, None)
    assert source(model["line"]).startswith("model = nn.Sequential(")
    assert [(layer["name"], layer["class"], layer["parameters"]) for layer in model["layers"]] == [
        ("", "Sequential", 0),
        ("0", "Linear", 15),
        ("1", "Tanh", 0),
        ("2", "Linear", 8),
    ]
    assert [layer["output"] for layer in model["layers"]] == [
        "float32[5, 2]",
        "float32[5, 3]",
        "float32[5, 3]",
        "float32[5, 2]",
    ]
    assert source(model["layers"][3]["constructed"]) == "frozen = nn.Linear(3, 2)"
    assert source(model["layers"][0]["called"]) == "loss = functional.cross_entropy(model(x), y)"


def test_parameters_say_who_trains_them(record):
    parameters = {one["name"]: one for one in record(program).model["models"][0]["parameters"]}
    assert source(parameters["2.weight"]["frozen"]) == "frozen.requires_grad_(False)"
    assert list(parameters) == ["0.weight", "0.bias", "2.weight", "2.bias"]
    assert parameters["0.weight"] == {
        "name": "0.weight",
        "shape": [3, 4],
        "dtype": "float32",
        "count": 12,
        "trainable": True,
        "as_made": False,
        "reached": True,
        "initialised": None,
        "optimizer": 0,
        "group": 0,
        "shared_with": [],
        "frozen": None,
    }
    assert (parameters["2.bias"]["trainable"], parameters["2.bias"]["optimizer"]) == (False, None)


def test_the_rest_is_there_too(record):
    described = record(program).model
    assert [one["class"] for one in described["optimizers"]] == ["SGD"]
    assert [one["dataset"] for one in described["loaders"]] == ["TensorDataset"]
    assert [one["call"] for one in described["losses"]] == ["cross_entropy"]
    assert {
        event: source(lines[0]) for event, lines in described["lines"].items() if event in ("backward", "step")
    } == {
        "backward": "loss.backward()",
        "step": "optimizer.step()",
    }


def test_calls_are_counted_to_the_end(record):
    model = mlp()
    optimizer = sgd(model)
    run = record(lambda: train(model, optimizer, 7), model, optimizer)
    assert [layer["calls"] for layer in run.model["models"][0]["layers"]] == [7, 7, 7, 7]


def test_a_layer_whose_own_words_fail_is_described_without_them(record):
    class Shy(nn.Linear):
        def extra_repr(self):
            raise RuntimeError("no comment")

    model = Shy(4, 2)
    optimizer = sgd(model)
    run = record(lambda: train(model, optimizer, 1), model, optimizer)
    assert run.model["models"][0]["layers"][0]["class"] == "Shy"


def test_parts_of_copies_are_said_to_be_made_where_the_copy_got_its_place(record):
    part = nn.TransformerEncoderLayer(4, 2, 8, batch_first=True)
    model = nn.TransformerEncoder(part, num_layers=2, enable_nested_tensor=False)
    optimizer = sgd(model)

    def program():
        model(torch.randn(3, 5, 4)).sum().backward()
        optimizer.step()

    (described,) = record(program, model, optimizer).model["models"]
    lines = {layer["name"]: layer["constructed"] for layer in described["layers"]}
    assert lines["layers.1.self_attn"] == lines["layers.1"]


def test_a_matrix_that_no_module_holds_is_made_where_its_variable_is(record):
    def program():
        weight = torch.randn(4, 2, requires_grad=True)
        optimizer = torch.optim.SGD([weight, torch.zeros(2, requires_grad=True)], lr=0.1)
        (torch.ones(3, 4) @ weight).sum().backward()
        optimizer.step()

    parameters = record(program).model["models"][0]["parameters"]
    assert source(parameters[0]["initialised"]) == "weight = torch.randn(4, 2, requires_grad=True)"
    assert [one["initialised"] for one in parameters[1:]] == [None] * len(parameters[1:])
