"""Experiments in a training: made on copies, and without a trace in the program."""

import torch
from torch import nn
from torch.nn import functional

from stetho.capture.torch.probes import probes

from ..conftest import batch, mlp, sgd, train


def test_the_experiment_is_in_the_run(record):
    model = mlp()
    optimizer = sgd(model)
    found = record(lambda: train(model, optimizer, 6), model, optimizer).model["probes"]["calls"]
    assert (found["step"], found["model"], found["others"], found["samples"]) == (3, "Sequential", 0.0, 5)


def test_parameters_buffers_mode_and_random_numbers_are_left_as_they_were(record):
    def trained(watched):
        torch.manual_seed(0)
        model = nn.Sequential(nn.Linear(4, 3), nn.BatchNorm1d(3), nn.Dropout(0.3), nn.Linear(3, 2))
        optimizer = sgd(model)

        def program():
            train(model, optimizer, 6)
            assert all(part.training for part in model.modules())

        if watched:
            assert "calls" in record(program, model, optimizer).model["probes"]
        else:
            program()
        return [*model.state_dict().values(), torch.rand(3)]

    assert all(torch.equal(one, other) for one, other in zip(trained(False), trained(True), strict=True))


def test_a_model_that_may_not_be_called_is_left_alone_with_a_reason(record):
    calls = []

    class Printing(nn.Linear):
        def forward(self, x):
            calls.append(1)
            return super().forward(x)

    model = Printing(4, 2)
    optimizer = sgd(model)
    found = record(lambda: train(model, optimizer, 6), model, optimizer).model["probes"]["calls"]
    assert found == {"skipped": "Printing.forward uses `calls`"}
    assert len(calls) == 6


def test_one_that_cannot_be_copied_and_a_large_one_are_left_alone(record, monkeypatch):
    class Locked(nn.Linear):
        def __deepcopy__(self, memo):
            raise TypeError("not this one")

    model = Locked(4, 2)
    found = record(lambda: train(model, sgd(model), 6), model).model["probes"]["calls"]
    assert found == {"skipped": "the model cannot be copied"}
    monkeypatch.setattr(probes, "LARGEST", 8)
    model = mlp()
    found = record(lambda: train(model, sgd(model), 6), model).model["probes"]["calls"]
    assert found == {"skipped": "the model has 0 MB"}


def test_an_error_in_the_model_ends_the_experiment_and_nothing_else(record):
    class Shy(nn.Linear):
        def forward(self, x):
            if not self.training:
                raise ValueError("not in public")
            return super().forward(x)

    model = Shy(4, 2)
    optimizer = sgd(model)

    def program():
        for _ in range(6):
            x, y = batch()
            optimizer.zero_grad()
            functional.cross_entropy(model(x), y).backward()
            optimizer.step()

    assert record(program, model, optimizer).model["probes"]["calls"] == {"skipped": "ValueError: not in public"}


class Counted(nn.Linear):
    calls = 0

    def forward(self, x):
        Counted.calls += 1
        return super().forward(x)


def test_what_a_class_counts_is_not_counted_twice(record):
    model = Counted(4, 2)
    optimizer = sgd(model)
    found = record(lambda: train(model, optimizer, 6), model, optimizer).model["probes"]["calls"]
    assert (found["step"], Counted.calls) == (3, 6)
