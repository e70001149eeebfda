"""The graph between loss and model: its operations, its parameters, and graphs that outlive their step."""

import pytest
import torch
from torch import nn
from torch.nn import functional

from stetho.capture.torch.losses import loss_graph

from ..conftest import batch, column, mlp, sgd, train


@pytest.fixture
def model():
    return mlp()


@pytest.fixture
def optimizer(model):
    return sgd(model)


def graph(record, model, optimizer, loss):
    def program():
        x, y = batch()
        loss(model(x), y).backward()
        optimizer.step()

    run = record(program, model, optimizer)
    (found,) = run.model["loss_graphs"]
    return found


def test_operations_from_the_loss_to_the_model_are_listed(record, model, optimizer):
    found = graph(record, model, optimizer, lambda said, right: functional.cross_entropy(said.softmax(1), right))
    ops = [op["op"] for op in found["ops"]]
    assert ops == ["NllLoss", "LogSoftmax", "Softmax"]
    assert found["ops"][2]["dim"] == 1
    assert (found["shape"], found["output_shape"]) == ([], [5, 2])


def test_a_negative_dimension_is_kept_as_it_was_given(record, model, optimizer):
    found = graph(record, model, optimizer, lambda said, _: said.softmax(-1).square().mean())
    assert [op["dim"] for op in found["ops"] if op["op"] == "Softmax"] == [-1]


def test_operations_at_the_end_of_the_model_are_listed(record):
    model = nn.Sequential(nn.Linear(4, 2), nn.Softmax(1))
    found = graph(record, model, sgd(model), functional.cross_entropy)
    assert found["output_ops"][0]["op"] == "Softmax"
    assert found["output_ops"][1]["op"] == "Addmm"


def test_the_parameters_that_a_loss_depends_on_are_named(record, optimizer, model):
    found = graph(record, model, optimizer, functional.cross_entropy)
    assert found["reached"] == ["0.bias", "0.weight", "2.bias", "2.weight"]
    detached = nn.Sequential(nn.Linear(4, 3), Detach(), nn.Linear(3, 2))
    found = graph(record, detached, sgd(detached), functional.cross_entropy)
    assert found["reached"] == ["2.bias", "2.weight"]


class Detach(nn.Module):
    def forward(self, x):
        return x.detach()


def test_graphs_of_a_healthy_loop_die_with_their_step(record, model, optimizer):
    run = record(lambda: train(model, optimizer, 4), model, optimizer)
    assert max(column(run, "graphs_alive")) <= 1
    assert len(set(column(run, "graph_nodes"))) == 1


def test_graphs_that_are_kept_are_counted(record, model, optimizer):
    kept = []

    def program():
        for _ in range(5):
            x, y = batch()
            loss = functional.cross_entropy(model(x), y)
            kept.append(loss)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

    alive = column(record(program, model, optimizer), "graphs_alive")
    assert alive == [0, 1, 2, 3, 4]


def test_the_graph_is_walked_densely_at_first_and_rarely_later(record, model, optimizer, monkeypatch):
    monkeypatch.setattr(loss_graph, "DENSE", 2)
    run = record(lambda: train(model, optimizer, 22), model, optimizer)
    walked = [
        step for step, nodes in zip(column(run, "step"), column(run, "graph_nodes"), strict=True) if nodes is not None
    ]
    assert walked == [1, 2, 20]


def test_a_loss_without_a_graph_does_no_harm(record, model, optimizer):
    def program():
        train(model, optimizer, 1)
        loss = torch.ones((), requires_grad=True)
        loss.backward()
        optimizer.step()

    run = record(program, model, optimizer)
    assert column(run, "graph_nodes")[1] is None


def test_what_turns_the_sign_of_a_term_is_told(record, model, optimizer):
    found = graph(record, model, optimizer, lambda said, _: (-0.5 * said.square() - 2 * said.exp()).mean())
    facts = {op["op"]: (op.get("negative", False), op.get("subtracted", False)) for op in found["ops"]}
    assert [(op.get("negative", False), op.get("subtracted", False)) for op in found["ops"] if op["op"] == "Mul"] == [
        (True, False),
        (False, True),
    ]
    assert facts["Sub"] == facts["Pow"] == (False, False)


def test_factors_are_not_read_where_the_program_saves_tensors_in_its_own_way(record, model, optimizer):
    unpacked = []

    def loss(said, _):
        with torch.autograd.graph.saved_tensors_hooks(lambda kept: kept, lambda kept: unpacked.append(1) or kept):
            return (-0.5 * said).mean()

    def looked(said, right):
        value = loss(said, right)
        unpacked.clear()
        return value

    found = graph(record, model, optimizer, looked)
    assert not any("negative" in op for op in found["ops"])
