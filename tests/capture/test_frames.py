"""The frames of a traceback know the expression that they were at."""

import ast
from pathlib import Path

import pytest

from stetho.capture.frames import Place, places_of, text_of


def places(code: str, folder: Path) -> list[Place]:
    file = folder / "program.py"
    file.write_text(code)
    try:
        exec(compile(code, str(file), "exec"), {})
    except Exception as error:
        return places_of(error.__traceback__)[1:]
    raise AssertionError


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("a = [1]\nprint(0, a[3])\n", "a[3]"),
        ("a = 1\nb = 2 + (a / 0)\n", "a / 0"),
        ("f = len\nx = f(3) + f([])\n", "f(3)"),
    ],
)
def test_finds_the_innermost_expression(code: str, expected: str, tmp_path: Path) -> None:
    node = places(code, tmp_path)[-1].node()
    assert node is not None
    assert text_of(node) == expected


def test_knows_function_line_and_parameters(tmp_path: Path) -> None:
    outer, inner = places("def f(a, *, b=1):\n    return a / 0\nf(1)\n", tmp_path)
    assert (outer.function, outer.line, outer.code, outer.parameters) == ("<module>", 3, "f(1)", ())
    assert (inner.function, inner.line, inner.parameters, inner.is_user) == ("f", 2, ("a", "b"), True)


def test_no_source_is_no_expression() -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        exec(compile("1 / 0", "<nowhere>", "exec"), {})
    assert places_of(caught.value.__traceback__)[-1].node() is None


def test_long_source_is_cut() -> None:
    assert text_of(ast.parse("f(" + "a, " * 100 + "b)")).endswith("…")
