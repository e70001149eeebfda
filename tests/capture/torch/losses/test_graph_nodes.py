"""Single nodes of an autograd graph."""

import pytest
import torch

from stetho.capture.torch.losses.graph_nodes import in_model, is_negative, is_subtracted, op_of

X = torch.ones(3, requires_grad=True)


@pytest.mark.parametrize(
    ("value", "negative"), [(-0.5 * X, True), (X / -2, True), (2 * X, False), (X * -torch.ones(3), False), (-X, False)]
)
def test_only_numbers_below_zero_turn_the_sign_of_a_product(value, negative):
    assert is_negative(value.grad_fn) is negative


def test_a_graph_that_was_gone_through_tells_no_factor():
    value = (-0.5 * X).sum()
    node = value.grad_fn.next_functions[0][0]
    value.backward()
    assert not is_negative(node)


def test_the_right_side_of_a_minus_is_subtracted():
    left, right = X.exp(), X.sin()
    node = (left - right).grad_fn
    assert (is_subtracted(left.grad_fn, node), is_subtracted(right.grad_fn, node)) == (False, True)


def test_a_constant_minus_something_has_a_name_of_its_own():
    assert [op_of((1 - X).grad_fn)["op"], op_of((X - 1).grad_fn)["op"]] == ["Rsub", "Sub"]


def test_operations_are_followed_along_the_data():
    value = torch.nn.functional.linear(torch.ones(1, 3).mul(X), torch.ones(2, 3, requires_grad=True)).tanh()
    assert [op_of(node)["op"] for node in in_model(value.grad_fn)][:2] == ["Tanh", "Mm"]
