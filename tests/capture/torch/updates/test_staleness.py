"""Gradients that were used and are still there when the next ones come."""

import pytest
import torch
from torch import nn
from torch.optim import Optimizer

from stetho.capture.torch.updates import optimizers, staleness
from stetho.capture.torch.updates.staleness import Staleness

from ..conftest import batch, column, mlp, sgd


@pytest.fixture
def model():
    return mlp()


@pytest.fixture
def optimizer(model):
    return sgd(model)


def steps(model, optimizer, between, number=3):
    for _ in range(number):
        between()
        model(batch()[0]).square().mean().backward()
        optimizer.step()


def test_gradients_that_are_never_zeroed_are_stale(record, model, optimizer):
    run = record(lambda: steps(model, optimizer, lambda: None), model, optimizer)
    assert column(run, "stale_grad") == [None, True, True]


@pytest.mark.parametrize("to_none", [True, False])
def test_gradients_that_are_zeroed_are_fresh(record, model, optimizer, to_none):
    run = record(lambda: steps(model, optimizer, lambda: optimizer.zero_grad(to_none)), model, optimizer)
    assert column(run, "stale_grad") == [None, False, False]


def test_zeroing_by_hand_counts(record, model, optimizer):
    def zero():
        for parameter in model.parameters():
            parameter.grad = None

    run = record(lambda: steps(model, optimizer, zero), model, optimizer)
    assert column(run, "stale_grad") == [None, False, False]


@pytest.mark.parametrize(("zeroes", "wanted"), [(True, [None, False, False]), (False, [None, True, True])])
def test_what_the_passes_of_a_closure_find_is_known_when_its_step_ends(record, model, zeroes, wanted):
    optimizer = torch.optim.LBFGS(model.parameters(), lr=0.01, max_iter=2)

    def closure():
        if zeroes:
            optimizer.zero_grad()
        loss = model(batch()[0]).square().mean()
        loss.backward()
        return loss

    run = record(lambda: [optimizer.step(closure) for _ in range(3)], model, optimizer)
    assert column(run, "stale_grad") == wanted


def test_accumulation_between_two_steps_is_not_stale(record, model, optimizer):
    def program():
        for _ in range(2):
            optimizer.zero_grad()
            for _ in range(3):
                model(batch()[0]).square().mean().backward()
            optimizer.step()

    assert column(record(program, model, optimizer), "stale_grad") == [None, False]


def test_an_optimizer_is_not_taken_for_one_that_is_gone(record, monkeypatch):
    # As if each were made where the one before it was, which happens whenever it pleases the allocator.
    for module in (staleness, optimizers):
        monkeypatch.setattr(module, "id", lambda one: 7 if isinstance(one, Optimizer) else id(one), raising=False)
    kept = []

    def program():
        for _ in range(2):
            kept.append(model := mlp())
            optimizer = sgd(model)
            steps(model, optimizer, optimizer.zero_grad)

    assert column(record(program), "stale_grad") == [None, False, False] * 2


def test_zeroing_of_one_optimizer_says_nothing_of_another(record):
    one, two = mlp(), mlp()
    first, second = sgd(one), sgd(two)

    def program():
        for _ in range(2):
            first.zero_grad()
            (one(batch()[0]).square().mean() + two(batch()[0]).square().mean()).backward()
            first.step()
            second.step()

    run = record(program, one, [first, second])
    assert column(run, "stale_grad") == [None, None, False, True]


def test_sparse_gradients_can_be_stale_too(record):
    model = nn.Embedding(10, 4, sparse=True)
    optimizer = sgd(model)

    def program():
        for _ in range(2):
            model(torch.tensor([1])).sum().backward()
            optimizer.step()

    assert column(record(program, model, optimizer), "stale_grad") == [None, True]


def test_an_optimizer_without_gradients_tells_nothing():
    optimizer = sgd(mlp())
    staleness = Staleness()
    assert staleness.of(optimizer) is None
    staleness.step_done(optimizer)
    staleness.backward_begins()
    assert staleness.of(optimizer) is None


def test_cleared_it_knows_nothing(model, optimizer):
    staleness = Staleness()
    model(batch()[0]).sum().backward()
    staleness.step_done(optimizer)
    staleness.backward_begins()
    assert staleness.of(optimizer) is True
    staleness.clear()
    assert staleness.of(optimizer) is None
