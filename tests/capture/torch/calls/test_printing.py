"""Tensors that the user wants to see, each in one line."""

import pytest
import torch
from torch import nn

from ..conftest import mlp, sgd, train


@pytest.fixture
def model():
    return mlp()


@pytest.fixture
def optimizer(model):
    return sgd(model)


def test_outputs_of_matching_layers_are_printed(record, model, optimizer, capsys):
    record(lambda: train(model, optimizer, 2), model, optimizer, print="[02]", every=100)
    lines = capsys.readouterr().err.splitlines()
    assert [line.partition(": float32")[0] for line in lines] == [
        "stetho: step 1 0",
        "stetho: step 1 2",
        "stetho: step 2 0",
        "stetho: step 2 2",
    ]
    assert "float32[5, 3] cpu grad min " in lines[0]


def test_the_whole_model_is_printed_by_its_class(record, model, optimizer, capsys):
    record(lambda: train(model, optimizer, 1), model, optimizer, print="*")
    assert "stetho: step 1 Sequential: float32[5, 2]" in capsys.readouterr().err


def test_shapes_are_told_at_first_and_when_they_are_new(record, capsys):
    model = nn.Sequential(nn.Linear(4, 3))
    optimizer = sgd(model)

    def run():
        for size in (8, 8, 5, 8):
            model(torch.randn(size, 4)).sum().backward()
            optimizer.step()

    record(run, model, optimizer, shapes=True, every=100)
    assert capsys.readouterr().err.splitlines() == [
        "stetho: step 1 0 (Linear): float32[8, 3] cpu",
        "stetho: step 1 Sequential: float32[8, 3] cpu",
        "stetho: step 3 0 (Linear): float32[5, 3] cpu, before float32[8, 3] cpu",
        "stetho: step 3 Sequential: float32[5, 3] cpu, before float32[8, 3] cpu",
    ]


def test_shapes_without_end_are_told_up_to_a_number(record, capsys):
    model = nn.Linear(4, 3)
    optimizer = sgd(model)

    def run():
        for size in range(1, 15):
            model(torch.randn(size, 4)).sum().backward()
            optimizer.step()

    record(run, model, optimizer, shapes=True)
    lines = [line for line in capsys.readouterr().err.splitlines() if " Linear: float32" in line]
    assert len(lines) == 9
    assert lines[-1].endswith("further shapes of it are not told")


def test_shapes_of_a_second_model_are_told_apart(record, capsys):
    one, other = nn.Sequential(nn.Linear(4, 3)), nn.Sequential(nn.Linear(3, 2))
    optimizer = torch.optim.SGD([*one.parameters(), *other.parameters()], lr=0.1)

    def step():
        other(one(torch.ones(5, 4))).sum().backward()
        optimizer.step()

    record(step, shapes=True)
    lines = capsys.readouterr().err
    assert "step 1 0 (Linear): float32[5, 3] cpu" in lines
    assert "step 1 0 (Linear) of model 2: float32[5, 2] cpu" in lines
