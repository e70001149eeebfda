"""Layers that are followed by the native kernel leave the rows that hooks in Python leave, and nothing else."""

import copy
import pickle

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional

from stetho.capture.torch.calls import layer_hooks

from ..conftest import batch, names, sgd, train


class Block(nn.Module):
    """One layer that is called twice, one that works in place, one that gives a dictionary, one that gives numbers."""

    class Parts(nn.Module):
        def forward(self, x):
            return {"x": x * 2, "index": x.argmax(1)}

    class Best(nn.Module):
        def forward(self, x):
            return x.argmax(1)

    def __init__(self):
        super().__init__()
        self.twice = nn.Linear(4, 4)
        self.relu = nn.ReLU(inplace=True)
        self.parts = self.Parts()
        self.best = self.Best()
        self.out = nn.Sequential(nn.Linear(4, 2), nn.Sequential(nn.Identity()))

    def forward(self, x):
        x = self.relu(self.twice(self.twice(x)))
        self.best(x)
        return self.out(self.parts(x)["x"])


@pytest.fixture(params=["native", "hooks"])
def way(request, monkeypatch):
    if request.param == "hooks":
        monkeypatch.setattr(layer_hooks, "LayerCalls", None)
    elif layer_hooks.LayerCalls is None:
        pytest.skip("the native kernel was not built")
    return request.param


def rows(run):
    columns = ("calls", "count", "nan", "zeros", "min", "max", "mean", "std", "rms")
    table = run.table("stats").to_pylist()
    return {
        (row["step"], row["role"], row["phase"], row["name"]): [row[one] for one in columns]
        for row in table
        if row["role"] in ("act", "act_grad")
    }


def accumulate(model, optimizer):
    for _ in range(4):
        optimizer.zero_grad()
        for _ in range(2):
            x, y = batch()
            functional.cross_entropy(model(x), y).backward()
        optimizer.step()
        model.eval()
        with torch.no_grad():
            model(batch()[0])
        model.train()


def test_both_ways_leave_the_same_rows(record, monkeypatch):
    found = []
    for calls in (layer_hooks.LayerCalls, None):
        monkeypatch.setattr(layer_hooks, "LayerCalls", calls)
        torch.manual_seed(3)
        model = Block()
        optimizer = sgd(model)
        found.append(rows(record(lambda m=model, o=optimizer: accumulate(m, o), model, optimizer, every=1)))
    native, hooks = found
    assert native.keys() == hooks.keys()
    assert len(native) > 60
    for key, numbers in native.items():
        assert numbers == pytest.approx(hooks[key], rel=1e-5, nan_ok=True), key


@pytest.mark.usefixtures("way")
def test_calls_are_counted(record):
    model = Block()
    optimizer = sgd(model)
    run = record(lambda: train(model, optimizer, 5), model, optimizer, every=1)
    calls = {layer["name"]: layer["calls"] for layer in run.model["models"][0]["layers"]}
    assert calls == dict.fromkeys(calls, 5) | {"twice": 10}


@pytest.mark.usefixtures("way")
def test_a_layer_that_is_put_in_later_is_measured_under_its_name(record):
    model = nn.Sequential(nn.Linear(4, 2))
    optimizer = sgd(model)

    def program():
        train(model, optimizer, 3)
        model.append(nn.Tanh())
        train(model, optimizer, 3)

    run = record(program, model, optimizer, every=1)
    assert run.values("act.rms", "1")[0].tolist() == [4, 5, 6]
    assert run.values("act_grad.rms", "1")[0].tolist() == [4, 5, 6]


@pytest.mark.usefixtures("way")
def test_only_the_layers_that_are_wanted_are_measured(record):
    model = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 2))
    optimizer = sgd(model)
    run = record(lambda: train(model, optimizer, 4), model, optimizer, every=1, layers=["1"])
    assert names(run, "act") == names(run, "act_grad") == ["1"]
    assert len(run.values("act.rms", "1")[0]) == 4


@pytest.mark.usefixtures("way")
def test_hooks_of_the_programs_own_work_as_ever(record):
    model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
    optimizer = sgd(model)
    model[0].register_forward_hook(lambda _, __, output: output * 0)
    seen = []

    def program():
        for _ in range(4):
            x, y = batch()
            scores = model(x)
            scores.register_hook(lambda gradient: seen.append(gradient) or gradient * 0)
            functional.cross_entropy(scores, y).backward()
            optimizer.step()

    run = record(program, model, optimizer, every=1)
    assert len(seen) == 4
    assert run.values("act.absmax", "1")[1][3] > 0
    assert np.all(run.values("grad.absmax", "1.weight")[1] == 0)


@pytest.mark.usefixtures("way")
def test_an_error_in_a_layer_reaches_the_program(record):
    class Failing(nn.Module):
        def forward(self, x):
            if len(x) == 1:
                raise KeyError("one")
            return x

    model = nn.Sequential(nn.Linear(4, 2), Failing())
    optimizer = sgd(model)

    def program():
        train(model, optimizer, 3)
        with pytest.raises(KeyError, match="one"):
            model(torch.ones(1, 4))
        train(model, optimizer, 3)

    assert run_steps(record(program, model, optimizer, every=1)) == 6


def run_steps(run):
    return run.table("steps").num_rows


@pytest.mark.usefixtures("way")
@pytest.mark.filterwarnings("ignore:.*deprecated")
def test_what_reads_or_copies_modules_finds_what_it_knows(record):
    model = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 2))
    optimizer = sgd(model)
    x = batch()[0]

    def program():
        train(model, optimizer, 3)
        expected = model(x)
        for other in (
            copy.deepcopy(model),
            pickle.loads(pickle.dumps(model)),
            torch.fx.symbolic_trace(model),
            torch.jit.trace(model, x),
        ):
            assert torch.equal(other(x), expected)
        assert torch.equal(torch.export.export(model, (x,), strict=False).module()(x), expected)
        train(model, optimizer, 2)

    assert run_steps(record(program, model, optimizer, every=1)) == 5
