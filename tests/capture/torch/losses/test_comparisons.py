"""Evaluations written by hand: what is right is read off the comparison that the program makes."""

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional

from ..conftest import batch, column, mlp, sgd, train


@pytest.fixture
def model():
    return mlp()


@pytest.fixture
def optimizer(model):
    return sgd(model)


def evaluated(model, compare):
    """An evaluation without a loss: `compare(output, labels)` is all the program does with the output."""
    model.eval()
    with torch.no_grad():
        x, y = batch(40)
        output = model(x)
        compare(output, y)
    model.train()
    # Not by a comparison of tensors, which would be followed as well.
    return float((output.numpy().argmax(1) == y.numpy()).mean())


WAYS = {
    "argmax ==": lambda output, y: (output.argmax(1) == y).float().mean(),
    "the other way round": lambda output, y: (y == output.argmax(-1)).sum().item(),
    "max and eq": lambda output, y: torch.max(output, 1)[1].eq(y).sum(),
    "kept dimension": lambda output, y: (lambda said: said.eq(y.view_as(said)))(output.argmax(1, keepdim=True)),
    "torch.eq of probabilities": lambda output, y: torch.eq(output.softmax(1).argmax(1), y).sum(),
}


@pytest.mark.parametrize("way", WAYS)
def test_accuracy_is_found_in_a_comparison(record, model, optimizer, way):
    accuracies = []

    def program():
        train(model, optimizer, 2)
        accuracies.append(evaluated(model, WAYS[way]))
        train(model, optimizer, 1)

    run = record(program, model, optimizer)
    metrics = {row["name"]: row["value"] for row in run.table("metrics").to_pylist() if row["phase"] == "eval"}
    assert metrics == {"accuracy": pytest.approx(accuracies[0])}


@pytest.mark.parametrize(
    "answer",
    [
        lambda output: (output > 0).float(),
        lambda output: (torch.sigmoid(output) > 0.5).float(),
        lambda output: torch.sigmoid(output).round(),
    ],
)
def test_a_yes_or_no_is_an_answer_too(record, answer):
    model = nn.Linear(4, 1)
    optimizer = sgd(model)

    def program():
        for _ in range(2):
            optimizer.zero_grad()
            x = torch.randn(8, 4)
            functional.binary_cross_entropy_with_logits(model(x), (x[:, :1] > 0).float()).backward()
            optimizer.step()
        with torch.no_grad():
            x = torch.randn(50, 4)
            assert (answer(model(x)) == (x[:, :1] > 0).float()).float().mean() >= 0

    run = record(program, model, optimizer)
    [row] = [row for row in run.table("batches").to_pylist() if row["phase"] == "eval"]
    assert row["counted"] == 50


def regression(model, optimizer, loss):
    for _ in range(2):
        optimizer.zero_grad()
        x = torch.randn(8, 4)
        loss(model(x), x[:, :1]).backward()
        optimizer.step()


@pytest.mark.parametrize(
    ("loss", "error"),
    [
        (lambda said, right: ((said - right) ** 2).mean(), lambda apart: apart.square().mean()),
        (functional.mse_loss, lambda apart: apart.square().mean()),
        (functional.l1_loss, lambda apart: apart.abs().mean()),
    ],
)
def test_an_error_is_found_in_a_difference(record, loss, error):
    model = nn.Linear(4, 1)
    optimizer = sgd(model)
    wanted = []

    def program():
        regression(model, optimizer, loss)
        with torch.no_grad():
            x = torch.randn(50, 4)
            apart = model(x) - x[:, :1]
            wanted.append(error(apart).item())

    run = record(program, model, optimizer)
    assert column(run, "value", "metrics") == [pytest.approx(wanted[0])]


def test_a_choice_that_is_drawn_around_the_answer_is_not_what_is_right(record):
    model = nn.Linear(4, 1)
    optimizer = sgd(model)

    def program():
        regression(model, optimizer, functional.mse_loss)
        with torch.no_grad():
            choices = torch.distributions.Normal(model(torch.randn(50, 4)), 1.0)
            choices.log_prob(choices.sample())

    assert column(record(program, model, optimizer), "value", "metrics") == []


def test_an_error_of_another_kind_than_the_loss_is_not_its_value(record):
    model = nn.Linear(4, 1)
    optimizer = sgd(model)

    def program():
        regression(model, optimizer, lambda said, right: 0.5 * ((said - right) ** 2).mean())
        with torch.no_grad():
            x = torch.randn(50, 4)
            assert (model(x) - x[:, :1]).abs().mean() >= 0

    assert column(record(program, model, optimizer), "value", "metrics") == []


def test_what_has_nothing_to_do_with_the_answer_is_nothing(record, model, optimizer):
    def program():
        train(model, optimizer, 1)
        evaluated(model, lambda output, y: ((y == 1).sum(), output == 0, y - 1, output - output.mean()))

    assert column(record(program, model, optimizer), "value", "metrics") == []


def test_no_method_stays_replaced(record, model, optimizer):
    before = [vars(Tensor).get(name) for name in ("__eq__", "eq", "__sub__", "__rsub__", "sub")], torch.eq, torch.sub

    def program():
        train(model, optimizer, 1)
        evaluated(model, WAYS["argmax =="])
        evaluated(model, lambda *_: None)

    record(program, model, optimizer)
    after = [vars(Tensor).get(name) for name in ("__eq__", "eq", "__sub__", "__rsub__", "sub")], torch.eq, torch.sub
    assert after == before


def test_numbers_of_classes_that_were_predicted_as_values_are_answers(record):
    model = nn.Linear(4, 1)
    optimizer = sgd(model, lr=0.01)
    right = torch.tensor([0, 1, 2, 3] * 10)
    shares = []

    def program():
        train_once(model, optimizer)
        model.eval()
        with torch.no_grad():
            said = model(torch.randn(40, 4)).squeeze(1).round().clamp(0, 3).long()
            shares.append((said == right).float().mean().item())
        model.train()

    def train_once(model, optimizer):
        functional.mse_loss(model(torch.randn(8, 4)).squeeze(1), torch.ones(8)).backward()
        optimizer.step()

    run = record(program, model, optimizer)
    assert column(run, "value", "metrics")[-1] == pytest.approx(shares[0])


def test_of_parts_that_are_compared_the_last_one_counts(record, model, optimizer):
    def program():
        train(model, optimizer, 2)
        with torch.no_grad():
            x, y = batch(80)
            answers = model(x).argmax(1)
            (answers[:40] == y[:40]).float().mean()
            (answers[40:] == y[40:]).float().mean()
        train(model, optimizer, 1)

    run = record(program, model, optimizer)
    counted = [row for row in run.table("batches").to_pylist() if row["phase"] == "eval"]
    assert [row["counted"] for row in counted] == [40]
