"""Edges between layers, out of the autograd graph."""

import torch
from torch import nn

from ..conftest import mlp, sgd, train


class Residual(nn.Module):
    """first -> second, and both into last; `aside` gets no gradient."""

    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 4)
        self.second = nn.Linear(4, 4)
        self.aside = nn.Linear(4, 4)
        self.last = nn.Linear(4, 2)

    def forward(self, x):
        x = self.first(x)
        y = torch.relu(self.second(x)) + x
        return self.last(y + self.aside(y.detach()).detach())


def edges(run, model=0):
    """Edges between layers, without those from the model's inputs."""
    found = [edge[:2] for edge in run.model["models"][model]["edges"]]
    return [edge for edge in found if not edge[0].startswith("(")]


def test_layers_one_after_the_other_are_a_chain(record):
    model = mlp()
    optimizer = sgd(model)
    assert edges(record(lambda: train(model, optimizer), model, optimizer)) == [["0", "1"], ["1", "2"]]


def test_a_shortcut_is_an_edge_and_what_was_detached_is_none(record):
    model = Residual()
    optimizer = sgd(model)
    found = edges(record(lambda: train(model, optimizer), model, optimizer))
    assert sorted(found) == [["first", "last"], ["first", "second"], ["second", "last"]]


def test_layers_in_containers_are_joined_across_them(record):
    model = nn.Sequential(nn.Sequential(nn.Linear(4, 4), nn.Tanh()), nn.Sequential(nn.Linear(4, 2)))
    optimizer = sgd(model)
    found = edges(record(lambda: train(model, optimizer), model, optimizer))
    assert found == [["0.0", "0.1"], ["0.1", "1.0"]]


def test_a_layer_called_twice_feeds_itself(record):
    class Twice(nn.Module):
        def __init__(self):
            super().__init__()
            self.cell = nn.Linear(4, 4)
            self.head = nn.Linear(4, 2)

        def forward(self, x):
            return self.head(self.cell(self.cell(x)))

    model = Twice()
    optimizer = sgd(model)
    found = edges(record(lambda: train(model, optimizer), model, optimizer))
    assert sorted(found) == [["cell", "cell"], ["cell", "head"]]


def test_an_input_in_another_shape_is_a_view_and_a_turned_one_is_not(record):
    class Reshaped(nn.Module):
        def __init__(self, turn):
            super().__init__()
            self.turn = turn
            self.layer = nn.Linear(2, 2)

        def forward(self, x):
            x = x.view(-1, 2, 2).transpose(0, 1) if self.turn else x.view(2, -1, 2)
            return self.layer(x).mean(0)

    for turn, ops in ((False, ["View"]), (True, [])):
        model = Reshaped(turn)
        optimizer = sgd(model)
        run = record(lambda model=model, optimizer=optimizer: train(model, optimizer), model, optimizer)
        assert run.model["models"][0]["edges"][0] == ["(input)", "layer", ops]


class Deep(nn.Module):
    """Each layer is given the sum of all before it, with no container around any of them."""

    def __init__(self, depth):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(4, 4) for _ in range(depth))
        self.last = nn.Linear(4, 2)

    def forward(self, x):
        for layer in self.layers:
            x = x + torch.relu(layer(x))
        return self.last(x)


def test_edges_of_a_deep_residual_model_grow_with_its_depth_and_not_with_its_square(record):
    def found(depth):
        model = Deep(depth)
        optimizer = sgd(model)
        return edges(record(lambda: train(model, optimizer), model, optimizer))

    few, many = found(10), found(20)
    assert ["layers.8", "layers.9"] in few
    assert ["layers.9", "last"] in few
    assert len(many) - len(few) == 30


def test_a_sum_of_many_branches_has_an_edge_from_each(record):
    class Wide(Deep):
        def forward(self, x):
            return self.last(sum(layer(x) for layer in self.layers))

    model = Wide(12)
    optimizer = sgd(model)
    found = edges(record(lambda: train(model, optimizer), model, optimizer))
    assert sorted(found) == sorted([f"layers.{place}", "last"] for place in range(12))


def views_of_attention(record, prepared):
    """Views across axes that are told of a model whose batch, width and heads have sizes that look exchanged."""

    class Attending(nn.Module):
        def __init__(self):
            super().__init__()
            self.attention = nn.MultiheadAttention(16, 2, batch_first=True)
            self.last = nn.Linear(16, 1)

        def forward(self, x):
            x = prepared(x * self.last.weight)
            return self.last(self.attention(x, x, x)[0]).mean(1)

    model = Attending()
    optimizer = sgd(model)

    def program():
        model(torch.randn(8, 5, 16)).sum().backward()
        optimizer.step()

    layers = record(program, model, optimizer).model["models"][0]["layers"]
    return [fact for layer in layers for fact in layer.get("between", ()) if fact["op"] == "View"]


def test_views_inside_of_the_frameworks_attention_are_no_views_across_axes(record):
    assert views_of_attention(record, lambda x: x) == []


def test_a_view_before_the_frameworks_attention_is_the_programs(record):
    found = views_of_attention(record, lambda x: x.view(8, 16, 5).contiguous().view(8, 5, 16))
    assert [8, 16, 5] in [fact["shape"] for fact in found]
