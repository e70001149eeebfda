"""Passes in training mode that no backward pass comes through."""

import torch
from torch import nn
from torch.nn import functional

from ..conftest import batch, column, mlp, sgd, train


def unused(run):
    """Step, size and mode of the passes that were for nothing."""
    rows = [row for row in run.table("batches").to_pylist() if row["phase"] == "unused"]
    return [(row["step"], row["size"]) for row in rows if row["training"] and row["grad"]]


def recorded(record, between, model=None):
    model = model or mlp()
    optimizer = sgd(model)

    def program():
        for _ in range(3):
            train(model, optimizer, 2)
            between(model, optimizer)

    return record(program, model, optimizer)


def test_an_evaluation_with_gradients_on_is_for_nothing(record):
    run = recorded(
        record, lambda model, _: [functional.cross_entropy(model(batch(7)[0]), torch.zeros(7).long()) for _ in "ab"]
    )
    assert unused(run) == [(3, 7), (3, 7), (5, 7), (5, 7), (7, 7), (7, 7)]
    (line,) = run.model["lines"]["unused forward"]
    assert "test_unused.py" in line


def test_training_passes_are_not(record):
    run = recorded(record, lambda *_: None)
    assert unused(run) == []
    assert "unused forward" not in run.model["lines"]


def test_a_pass_that_is_used_through_its_second_output_or_after_the_next_step_is_not(record):
    class Two(nn.Module):
        def __init__(self):
            super().__init__()
            self.one, self.two = nn.Linear(4, 2), nn.Linear(4, 2)

        def forward(self, x):
            return self.one(x), self.two(x)

    model = Two()
    optimizers = [torch.optim.SGD(part.parameters(), lr=0.1) for part in (model.one, model.two)]

    def program():
        for _ in range(3):
            _, later = model(batch()[0])
            model(batch()[0])[1].sum().backward()
            optimizers[1].step()
            later.sum().backward(inputs=[later])
            optimizers[0].step()

    assert unused(record(program, model)) == []


def test_the_same_tensor_again_is_no_evaluation(record):
    def many(model, _):
        x = batch(7)[0]
        for _ in range(4):
            model(x)

    assert unused(recorded(record, many)) == []


def test_passes_in_evaluation_mode_and_without_gradients_are_evaluations_already(record):
    def evaluate(model, _):
        model.eval()
        model(batch(7)[0])
        model.train()
        with torch.no_grad():
            model(batch(7)[0])

    run = recorded(record, evaluate)
    assert unused(run) == []
    assert column(run, "phase", "batches").count("eval") > 0


def test_of_a_function_that_trains_and_evaluates_the_caller_is_known(record):
    model = mlp()
    optimizer = sgd(model)

    def answers(inputs):
        return model(inputs)

    def program():
        for _ in range(3):
            inputs, labels = batch()
            functional.cross_entropy(answers(inputs), labels).backward()
            optimizer.step()
            optimizer.zero_grad()
            with torch.no_grad():
                functional.cross_entropy(answers(inputs + 1), labels)

    lines = record(program, model, optimizer).model["lines"]
    (asked,) = lines["evaluation called"]
    assert int(asked.rpartition(":")[2]) == program.__code__.co_firstlineno + 7
