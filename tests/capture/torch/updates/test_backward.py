"""Backward passes: the loss that is recorded is the one the program means."""

from pathlib import Path

import pytest
import torch

from ..conftest import batch, column, mlp, sgd, train


@pytest.fixture
def model():
    return mlp()


@pytest.fixture
def optimizer(model):
    return sgd(model)


def test_the_loss_is_what_the_pass_starts_from(record, model, optimizer):
    losses = []

    def program():
        for _ in range(3):
            loss = model(batch()[0]).square().mean()
            loss.backward()
            losses.append(loss.item())
            optimizer.step()

    run = record(program, model, optimizer)
    assert column(run, "loss") == losses
    assert column(run, "backwards") == [1, 1, 1]


@pytest.mark.parametrize("form", ["list", "keyword", "tensor"])
def test_the_function_of_autograd_is_followed_however_it_is_called(record, model, optimizer, form):
    kept = []

    def program():
        loss = model(batch()[0]).square().mean()
        kept.append(loss.item())
        calls = {
            "list": lambda: torch.autograd.backward([loss]),
            "keyword": lambda: torch.autograd.backward(tensors=loss),
            "tensor": lambda: torch.autograd.backward(loss),
        }
        calls[form]()
        optimizer.step()

    run = record(program, model, optimizer)
    assert (column(run, "loss"), column(run, "backwards")) == (kept, [1])


def test_a_loss_of_several_elements_is_recorded_by_its_mean(record, model, optimizer):
    def program():
        output = model(batch()[0])
        kept.append(output.mean().item())
        output.backward(torch.ones_like(output))
        optimizer.step()

    kept = []
    assert column(record(program, model, optimizer), "loss") == pytest.approx(kept)


@pytest.mark.parametrize("loss", [float("nan"), float("inf")])
def test_a_loss_that_is_not_finite_is_recorded_as_it_is(record, model, optimizer, loss):
    def program():
        (model(batch()[0]).sum() * loss).backward()
        optimizer.step()

    (found,) = column(record(program, model, optimizer), "loss")
    assert found != found or abs(found) == float("inf")


def set_gradients(model, loss):
    parameters = list(model.parameters())
    for parameter, gradient in zip(parameters, torch.autograd.grad(loss, parameters), strict=True):
        parameter.grad = gradient


def test_gradients_that_a_program_asks_for_and_hands_to_its_optimizer_are_those_of_a_pass(record, model, optimizer):
    losses = []

    def program():
        for _ in range(3):
            loss = model(batch()[0]).square().mean()
            losses.append(loss.item())
            set_gradients(model, loss)
            optimizer.step()

    run = record(program, model, optimizer)
    assert (column(run, "backwards"), column(run, "loss")) == ([1, 1, 1], losses)
    assert column(run, "order") == ["forward backward step"] * 3
    assert column(run, "grad_norm")[0] > 0


def test_gradients_that_are_asked_for_beside_a_pass_are_no_further_one(record, model, optimizer):
    losses = []

    def program():
        loss = model(batch()[0]).square().mean()
        losses.append(loss.item())
        torch.autograd.grad(3 * loss, list(model.parameters()), retain_graph=True)
        loss.backward()
        optimizer.step()

    run = record(program, model, optimizer)
    assert (column(run, "backwards"), column(run, "loss")) == ([1], losses)


def test_a_backward_pass_that_raises_is_the_programs(record, model, optimizer):
    def program():
        loss = model(batch()[0]).sum()
        loss.backward()
        with pytest.raises(RuntimeError, match="second time"):
            loss.backward()
        train(model, optimizer, 1)

    run = record(program, model, optimizer)
    assert column(run, "backwards") == [3]


def test_its_line_is_the_users(record, model, optimizer):
    run = record(lambda: train(model, optimizer, 2), model, optimizer)
    (place,) = run.model["lines"]["backward"]
    file, _, line = place.rpartition(":")
    assert ".backward()" in Path(file).read_text().splitlines()[int(line) - 1]


def test_the_loss_before_scaling_is_recorded(record, model, optimizer):
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
    kept = []

    def program():
        loss = model(batch()[0]).square().mean()
        kept.append(loss.item())
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()

    assert column(record(program, model, optimizer), "loss") == kept
