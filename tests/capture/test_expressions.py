"""Operands are looked up without running any code of the program."""

import ast
import sys
from typing import Any

import pytest

from stetho.capture.expressions import MISSING, flattened, operands_of, plain_attribute, value_of
from stetho.capture.frames import Place


class Dangerous:
    """Every way of asking it for something runs code."""

    def __init__(self) -> None:
        self.plain = 3

    @property
    def computed(self) -> int:
        raise AssertionError("a property was run")

    def __getattr__(self, name: str) -> int:
        raise AssertionError("__getattr__ was run")

    def __getitem__(self, key: object) -> int:
        raise AssertionError("__getitem__ was run")


def here(**values: Any) -> Place:
    return Place(sys._getframe(), len(values), 0)


def value(code: str, **values: Any) -> object:
    return value_of(ast.parse(code, mode="eval").body, here(**values))


@pytest.mark.parametrize(
    ("code", "parts"),
    [
        ("a @ b", "a b"),
        ("f(x, y=z)", "x z"),
        ("x.view(3)", "x 3"),
        ("x[i, j]", "x i j"),
        ("a < b", "a b"),
        ("x += y", "x y"),
        ("x[0] = y + z", "x y z"),
        ("if a > b: pass", "a b"),
        ("-x", "x"),
        ("a and b", "a b"),
        ("pass", ""),
    ],
)
def test_takes_operations_apart(code: str, parts: str) -> None:
    statement: ast.AST = ast.parse(code).body[0]
    node = statement.value if isinstance(statement, ast.Expr) else statement
    assert " ".join(ast.unparse(each) for each in operands_of(node)) == parts


def test_takes_lists_apart() -> None:
    node = ast.parse("[a, *b]", mode="eval").body
    assert [ast.unparse(each) for each in flattened([node])] == ["a", "b"]


def test_follows_names_attributes_and_elements() -> None:
    assert value("values['x']", x=5) == 5
    assert value("values['x'].plain", x=Dangerous()) == 3
    assert value("values['x']['a']", x={"a": 4}) == 4
    assert value("values['x'][1]", x=[1, 2]) == 2
    assert value("no_such_name") is MISSING


@pytest.mark.parametrize("code", ["values['x'].computed", "values['x'].missing", "values['x'][0]", "values['x'](1)"])
def test_runs_nothing(code: str) -> None:
    assert value(code, x=Dangerous()) is MISSING


def test_sees_what_modules_register() -> None:
    torch = pytest.importorskip("torch")
    layer = torch.nn.Linear(1, 1)
    assert plain_attribute(layer, "weight") is layer.weight
