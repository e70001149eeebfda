"""Operations between layers that say more than their name."""

import pytest
import torch
from torch import nn

from stetho.capture.torch.models.attended import Attended
from stetho.capture.torch.models.operations import fact_of, reads_saved

from ..conftest import sgd, train


class Attending(nn.Module):
    def __init__(self):
        super().__init__()
        self.entry = nn.Linear(4, 12)
        self.out = nn.Linear(12, 2)

    def forward(self, x):
        x = torch.tanh(50 * self.entry(x))
        heads = x.view(len(x), 3, 4)
        return self.out((heads.softmax(-1) * heads).reshape(len(x), 12))


def test_softmax_and_tanh_before_a_layer_are_described(record):
    model = Attending()
    optimizer = sgd(model)
    run = record(lambda: train(model, optimizer), model, optimizer)
    layers = {layer["name"]: layer for layer in run.model["models"][0]["layers"]}
    found = {fact["op"]: fact for fact in layers["out"]["between"]}
    assert (found["Softmax"]["dim"], found["Softmax"]["shape"][1:]) == (2, [3, 4])
    assert 1 <= found["Softmax"]["places"] <= 4
    assert 0 <= found["Tanh"]["slope"] < 0.5
    assert "View" not in found


def test_a_view_across_axes_is_described():
    x = torch.zeros(8, 9, 32, requires_grad=True)
    fact = fact_of(x.view(8, 4, 9, 8).grad_fn, Attended([]), reads=True)
    assert fact == {"op": "View", "shape": [8, 4, 9, 8], "before": [8, 9, 32]}
    assert fact_of(x.view(8, 9, 4, 8).grad_fn, Attended([]), reads=True) is None


def test_attention_as_one_operation_is_described():
    x = torch.randn(2, 1, 6, 8, requires_grad=True)
    fact = fact_of(nn.functional.scaled_dot_product_attention(x, x, x, scale=100.0).grad_fn, Attended([]), reads=True)
    assert fact["places"] < 1.5


def test_nothing_that_is_kept_is_read_under_hooks_of_others():
    x = torch.randn(2, 3, requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(lambda kept: kept, lambda kept: kept):
        assert not reads_saved()
    assert reads_saved()
    assert fact_of(x.softmax(-1).grad_fn, Attended([]), reads=False) is None


def test_a_small_number_between_layers_is_told() -> None:
    x = torch.ones(4, 3, requires_grad=True)
    assert fact_of((x / 255).grad_fn, Attended([]), reads=True) == {
        "op": "Scale",
        "shape": [4, 3],
        "factor": pytest.approx(1 / 255),
    }
    assert fact_of((x / 255).grad_fn, Attended([]), reads=False) is None
    others = (x * 0.125, x * 3.0, x * x, x * torch.full((3,), 1e-3))
    assert [fact_of(other.grad_fn, Attended([]), reads=True) for other in others] == [None] * 4


def test_the_softmax_inside_of_attention_without_heads_is_described() -> None:
    x = torch.randn(2, 6, 8, requires_grad=True)
    found, trail = None, [nn.functional.scaled_dot_product_attention(x, x, x, scale=100.0).grad_fn]
    while trail and found is None:
        node = trail.pop()
        found = fact_of(node, Attended([]), reads=True) if "oftmax" in type(node).__name__ else None
        trail += [other for other, _ in node.next_functions if other is not None]
    assert found is not None
    assert found["places"] < 1.5


def test_a_relu_that_lets_nothing_through_is_told() -> None:
    x = torch.ones(4, 3, requires_grad=True)
    assert fact_of(torch.relu(x - 6).grad_fn, Attended([]), reads=True) == {"op": "Relu", "shape": [4, 3], "slope": 0.0}
    assert fact_of(torch.relu(x).grad_fn, Attended([]), reads=True) is None


def test_a_clamp_that_lets_nothing_through_is_a_relu() -> None:
    x = torch.full((4, 3), -2.0, requires_grad=True)
    assert fact_of(x.clamp(min=0).grad_fn, Attended([]), reads=True) == {"op": "Relu", "shape": [4, 3], "slope": 0.0}
    assert fact_of((x + 3).clamp(min=0).grad_fn, Attended([]), reads=True) is None
    assert fact_of(x.clamp(min=-3).grad_fn, Attended([]), reads=True) is None


def test_a_result_that_was_changed_in_place_since_is_not_read() -> None:
    hidden = torch.ones(3, 4, requires_grad=True).tanh()
    node = hidden.grad_fn
    hidden += 1
    assert fact_of(node, Attended([]), reads=True) is None
