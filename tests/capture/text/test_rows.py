"""What single statements do to the rows of arrays."""

import ast

import pytest

from stetho.capture.text.rows import given, gives_order, of_statement, shuffled, source


def statement(text):
    return ast.parse(text).body[0]


def expression(text):
    return ast.parse(text, mode="eval").body


def test_every_variable_has_its_own_value():
    assert [(name, ast.unparse(value)) for name, value in given(statement("x, y = x[o], y[o]"))] == [
        ("x", "x[o]"),
        ("y", "y[o]"),
    ]
    assert [name for name, _ in given(statement("x, y = load()"))] == ["x", "y"]
    assert list(given(statement("x += 1"))) == []


@pytest.mark.parametrize("text", ["rng.permutation(9)", "torch.randperm(n)[:5]", "sorted(range(9), key=size)"])
def test_orders_are_known_by_what_makes_them(text):
    assert gives_order(expression(text))


def test_rows_go_through_conversions_and_not_through_other_calls():
    assert source(expression("model(x)")) == []
    assert source(expression("torch.as_tensor(-x.y[3:])"))[-1] == "x"
    assert source(expression("[x[i] for i in order]")) == ["x", "i"]
    assert source(expression("[a, b]")) == ["a", "b"]


def test_a_call_of_its_own_puts_an_array_in_order():
    assert [line for _, line in shuffled(statement("random.shuffle(x)"), "x")] == [1]
    assert list(shuffled(statement("random.shuffle(x)"), "y")) == []
    assert list(shuffled(statement("print(x)"), "x")) == []


def test_statements_inside_are_not_of_the_statement():
    names = [node.id for node in of_statement(statement("for i in a:\n    b = c")) if isinstance(node, ast.Name)]
    assert sorted(names) == ["a", "i"]
