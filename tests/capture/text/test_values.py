"""Values are followed through the text of a program."""

import ast

import pytest

from stetho.capture.text.values import ProgramText

CASES = {
    "one of several results": ("rate, width = settings()\nSGD(lr=rate)", 2, 1),
    "several assignments": ("rate = 1\nrate = 2\nSGD(lr=rate)", 3, 2),
    "a number in text": ('rate = float("0.1")\nSGD(lr=float(rate))', 2, 1),
    "another scope of the same name": ("rate = 1\ndef other():\n    rate = 2\n\nSGD(lr=rate)", 5, 1),
    "a sum": ("rate = 1\nSGD(lr=rate + 1)", 2, 2),
}


@pytest.mark.parametrize(("program", "used", "written"), CASES.values(), ids=CASES)
def test_a_value_is_followed(program: str, used: int, written: int) -> None:
    text = ProgramText(ast.parse(program))
    (value,) = text.arguments(used, "lr", "SGD", None)
    assert text.written(value).lineno == written


def test_a_circle_of_variables_ends() -> None:
    text = ProgramText(ast.parse("def f(a):\n    return g(a)\n\ndef g(a):\n    return f(a)\n"))
    (value,) = text.arguments(2, "a", "g", 0)
    assert text.written(value).lineno in (2, 5)
