"""Values are followed through the text of a program."""

import ast

import pytest

from stetho.capture.text.values import ProgramText

CASES = {
    "one of several results": ("rate, width = settings()\nSGD(lr=rate)", 2, 1),
    "several assignments": ("rate = 1\nrate = 2\nSGD(lr=rate)", 3, 2),
    "a number in text": ('rate = float("0.1")\nSGD(lr=float(rate))', 2, 1),
    "another scope of the same name": ("rate = 1\ndef other():\n    rate = 2\n\nSGD(lr=rate)", 5, 1),
    "a loop over what a caller gives": (
        "def build(rates):\n    for a, b in zip(rates[:-1], rates[1:]):\n        SGD(lr=b)\n\n"
        "if True:\n    a, b = split()\n    build([3, 2, 1])",
        3,
        7,
    ),
    "a loop over what is made there": (
        "def build():\n    for rate in (1, 2):\n        SGD(lr=rate)\n\nrate = other()",
        3,
        3,
    ),
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
