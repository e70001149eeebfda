"""Randomness taken out, and what is left of it."""

import os
import random

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional
from torch.utils.data import DataLoader, TensorDataset

import stetho
from stetho.capture.torch.deterministic import count_dropouts, make_deterministic, randomness_left

from .conftest import batch, mlp, sgd, train


@pytest.fixture(autouse=True)
def hash_seed(monkeypatch):
    monkeypatch.setenv("PYTHONHASHSEED", "0")
    monkeypatch.setenv("CUBLAS_WORKSPACE_CONFIG", "")
    monkeypatch.delenv("CUBLAS_WORKSPACE_CONFIG")


def draws():
    return random.random(), np.random.rand(), torch.rand(1).item()


def test_every_generator_is_seeded(tmp_path):
    found = []
    for _ in range(2):
        random.seed(), np.random.seed(), torch.seed()
        with stetho.watch(deterministic=True, out=tmp_path):
            found.append(draws())
    assert found[0] == found[1]


def test_settings_are_put_back():
    undo = make_deterministic()
    assert torch.are_deterministic_algorithms_enabled()
    assert torch.is_deterministic_algorithms_warn_only_enabled()
    assert not torch.backends.cudnn.benchmark
    undo()
    assert not torch.are_deterministic_algorithms_enabled()
    assert not torch.is_deterministic_algorithms_warn_only_enabled()


def test_settings_of_the_user_are_the_ones_that_come_back():
    torch.use_deterministic_algorithms(True)
    try:
        make_deterministic()()
        assert torch.are_deterministic_algorithms_enabled()
        assert not torch.is_deterministic_algorithms_warn_only_enabled()
    finally:
        torch.use_deterministic_algorithms(False)


def test_a_setting_of_the_environment_wins(monkeypatch):
    monkeypatch.setenv("CUBLAS_WORKSPACE_CONFIG", ":16:8")
    make_deterministic()()
    assert os.environ["CUBLAS_WORKSPACE_CONFIG"] == ":16:8"


def test_nothing_is_left_in_a_plain_program():
    assert randomness_left(count_dropouts([mlp()]), [{"shuffled": False, "workers": 0}]) == []


def test_dropout_is_left_where_it_drops():
    model = nn.Sequential(nn.Dropout(0.5), nn.Dropout2d(0.1), nn.Dropout(0.0))
    assert randomness_left(count_dropouts([model]), []) == ["dropout in 2 layers: seeded; drawn anew for each batch"]


def test_shuffling_and_workers_are_left():
    loader = {"shuffled": True, "workers": 2, "dataset": "Digits", "line": "train.py:3"}
    assert randomness_left(0, [loader]) == [
        "shuffling of Digits at train.py:3: seeded; another order for each epoch",
        "2 workers of Digits: seeded by torch; other generators in them are not",
    ]


@pytest.mark.parametrize(("value", "left"), [(None, 1), ("random", 1), ("0", 0), ("17", 0)])
def test_the_order_of_sets_is_left_unless_it_was_seeded(monkeypatch, value, left):
    monkeypatch.delenv("PYTHONHASHSEED")
    if value is not None:
        monkeypatch.setenv("PYTHONHASHSEED", value)
    assert len(randomness_left(0, [])) == left


def test_the_run_lists_what_is_left(record):
    def program():
        model = nn.Sequential(nn.Linear(4, 3), nn.Dropout(0.5), nn.Linear(3, 2))
        optimizer = sgd(model)
        for x, y in DataLoader(TensorDataset(*batch(8)), batch_size=4, shuffle=True):
            functional.cross_entropy(model(x), y).backward()
            optimizer.step()

    left = record(program, deterministic=True).model["randomness"]
    assert [one.split()[0] for one in left] == ["dropout", "shuffling"]
    assert not torch.are_deterministic_algorithms_enabled()


def test_otherwise_nothing_is_said_of_randomness(record):
    model = mlp()
    optimizer = sgd(model)
    assert "randomness" not in record(lambda: train(model, optimizer, 1), model, optimizer).model
