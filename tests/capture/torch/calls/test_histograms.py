"""Histograms: rarely, and of everything that has values."""

import pytest
import torch
from torch import nn

from stetho.capture.torch.calls import histograms
from stetho.stats.histogram import SIDE

from ..conftest import evaluate, mlp, sgd, train


@pytest.fixture
def model():
    return mlp()


@pytest.fixture
def optimizer(model):
    return sgd(model, momentum=0.9)


def taken(run):
    rows = run.table("histograms").to_pylist()
    return {(row["step"], row["role"], row["name"], row["phase"]): row["counts"] for row in rows}


def test_the_first_full_step_and_then_every_so_many(record, model, optimizer, monkeypatch):
    monkeypatch.setattr(histograms, "EVERY", 3)
    run = record(lambda: train(model, optimizer, 8), model, optimizer)
    assert sorted({step for step, *_ in taken(run)}) == [1, 4, 7]


def test_after_many_steps_they_are_taken_more_rarely(record, model, optimizer, monkeypatch):
    for name, number in {"EVERY": 2, "MANY": 5, "RARELY": 4}.items():
        monkeypatch.setattr(histograms, name, number)
    run = record(lambda: train(model, optimizer, 14), model, optimizer)
    assert sorted({step for step, *_ in taken(run)}) == [1, 3, 5, 9, 13]


def test_steps_that_are_not_full_do_not_count(record, model, optimizer, monkeypatch):
    monkeypatch.setattr(histograms, "EVERY", 2)
    run = record(lambda: train(model, optimizer, 9), model, optimizer, every=2)
    assert sorted({step for step, *_ in taken(run)}) == [1, 5, 9]


def test_outputs_gradients_parameters_updates_and_states_have_one(record, model, optimizer):
    found = taken(record(lambda: train(model, optimizer, 1, size=7), model, optimizer))
    for key, count in {
        (1, "act", "0", "train"): 21,
        (1, "act_grad", "0", "train"): 21,
        (1, "param", "0.weight", "train"): 12,
        (1, "grad", "0.weight", "train"): 12,
        (1, "update", "0.weight", "train"): 12,
        (1, "state.momentum_buffer", "0.weight", "train"): 12,
    }.items():
        assert sum(found[key]) == count


def test_several_calls_are_added_up(record):
    model = nn.Linear(4, 4)
    optimizer = sgd(model)

    def program():
        model(model(torch.ones(3, 4))).sum().backward()
        optimizer.step()

    found = taken(record(program, model, optimizer))
    assert sum(found[(1, "act", "", "train")]) == 24


def test_an_evaluation_has_its_own(record, model, optimizer):
    def program():
        evaluate(model)
        train(model, optimizer, 1)

    found = taken(record(program, model, optimizer))
    assert sum(found[(1, "act", "0", "eval")]) == 15


def test_tensors_without_dense_values_have_none(record):
    model = nn.Embedding(10, 4, sparse=True)
    optimizer = torch.optim.SparseAdam(model.parameters())

    def program():
        model(torch.tensor([1, 2])).sum().backward()
        optimizer.step()

    found = taken(record(program, model, optimizer))
    assert (1, "param", "weight", "train") in found
    assert (1, "grad", "weight", "train") not in found


def test_zeros_are_in_the_middle(record, model, optimizer):
    nn.init.zeros_(model[0].bias)
    found = taken(record(lambda: train(model, optimizer, 1), model, optimizer))
    assert found[(1, "param", "0.bias", "train")][SIDE] == 3
