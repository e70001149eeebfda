"""Programs that update their parameters by hand, or never."""

import pytest
import torch

from stetho.capture.torch.updates.manual import PATIENCE

from ..conftest import batch, column, mlp, names, sgd, stat, train


@pytest.fixture
def model():
    return mlp()


def by_hand(model, steps=3, lr=0.1):
    for _ in range(steps):
        model.zero_grad()
        model(batch()[0]).square().mean().backward()
        with torch.no_grad():
            for parameter in model.parameters():
                parameter -= lr * parameter.grad


def test_without_an_optimizer_a_backward_pass_is_a_step(record, model):
    run = record(lambda: by_hand(model), model)
    assert column(run, "step") == [1, 2, 3]
    assert column(run, "lr") == [None] * 3
    assert column(run, "optimizer") == [None] * 3
    assert [note["kind"] for note in run.notes] == ["manual"]


def test_the_update_is_what_happened_until_the_next_pass(record, model):
    run = record(lambda: by_hand(model, lr=0.5), model)
    assert run.values("update.rms", "0.weight")[0].tolist() == [1, 2, 3]
    for step in (1, 2, 3):
        assert stat(run, "update.rms", "0.weight", step) == pytest.approx(
            0.5 * stat(run, "grad.rms", "0.weight", step), rel=1e-4
        )
    assert all(norm > 0 for norm in column(run, "grad_norm"))


def test_parameters_outside_of_modules_are_called_what_the_program_calls_them(record):
    def program():
        slope = torch.ones(1, requires_grad=True)
        offset = torch.zeros(1, requires_grad=True)
        for _ in range(3):
            loss = (slope * 2 + offset - 1).square().sum()
            loss.backward()
            with torch.no_grad():
                slope -= 0.1 * slope.grad
                offset -= 0.1 * offset.grad
            slope.grad = offset.grad = None

    run = record(program)
    assert sorted(names(run, "grad")) == ["offset", "slope"]
    assert run.values("update.rms", "slope")[0].tolist() == [1, 2, 3]


def test_parameters_that_are_made_anew_in_every_step_keep_their_name(record):
    def program():
        weight = torch.ones(2, requires_grad=True)
        for _ in range(4):
            weight.square().sum().backward()
            weight = (weight - 0.1 * weight.grad).detach().requires_grad_()

    assert names(record(program), "grad") == ["weight"]


def test_an_optimizer_that_never_steps_is_noticed_after_a_while(record, model):
    optimizer = sgd(model)

    def program():
        for _ in range(PATIENCE + 2):
            model(torch.ones(1, 4)).sum().backward()

    run = record(program, model, optimizer)
    assert column(run, "backwards") == [PATIENCE, 1, 1]
    (note,) = run.notes
    assert note["kind"] == "no step"
    assert str(PATIENCE) in note["text"]


def test_a_few_passes_without_a_step_are_one_step_at_the_end(record, model):
    optimizer = sgd(model)

    def program():
        for _ in range(3):
            model(torch.ones(1, 4)).sum().backward()

    run = record(program, model, optimizer)
    assert column(run, "backwards") == [3]
    assert [note["text"] for note in run.notes] == [
        "3 backward passes and no step of an optimizer: recorded as one step"
    ]


def test_an_optimizer_that_comes_later_takes_over(record, model):
    def program():
        by_hand(model, 2)
        model.zero_grad()
        train(model, sgd(model), 3)

    run = record(program, model)
    assert column(run, "step") == [1, 2, 3, 4, 5]
    assert column(run, "optimizer") == [None, None, 0, 0, 0]
    assert run.values("update.calls", "0.weight")[0].tolist() == [1, 2, 3, 4, 5]


def test_backward_passes_after_the_last_step_are_no_step(record, model):
    optimizer = sgd(model)

    def program():
        train(model, optimizer, 2)
        model(batch()[0]).sum().backward()

    assert column(record(program, model, optimizer), "step") == [1, 2]


def test_gradients_that_are_asked_for_make_a_step_too(record):
    def program():
        slope = torch.ones(3, 1, requires_grad=True)
        offset = torch.zeros(1, requires_grad=True)
        for _ in range(4):
            loss = (torch.ones(5, 3) @ slope + offset).square().mean()
            gradients = torch.autograd.grad(loss, [slope, offset])
            with torch.no_grad():
                for parameter, gradient in zip((slope, offset), gradients, strict=True):
                    parameter -= 0.1 * gradient

    run = record(program)
    assert column(run, "step") == [1, 2, 3, 4]
    assert column(run, "loss")[0] == pytest.approx(9.0)
    assert names(run, "update") == ["offset", "slope"]


def test_gradients_with_respect_to_inputs_and_beside_an_optimizer_make_none(record, model):
    optimizer = sgd(model)

    def program():
        for _ in range(2):
            x = batch()[0].requires_grad_()
            torch.autograd.grad(model(x).square().mean(), [x])
            torch.autograd.grad(model(x).square().mean(), list(model.parameters()))
            optimizer.zero_grad()
            model(x).square().mean().backward()
            optimizer.step()

    run = record(program, model, optimizer)
    assert column(run, "step") == [1, 2]
    assert column(run, "backwards") == [1, 1]
