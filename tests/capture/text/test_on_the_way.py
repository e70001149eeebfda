"""What is done to data on their way to a line."""

import ast
from pathlib import Path

import pytest

from stetho.capture.text.on_the_way import first_in_what_is_given, first_up_to

HALF = "def half(w):\n    return w % 2\n"


def is_rest(node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod)


@pytest.mark.parametrize(
    ("program", "at", "wanted"),
    [
        ("t = t % 2\nx = tensor(t)\n", 2, 1),
        (HALF + "t = half(t)\nx = tensor(t)\n", 4, 2),
        ("x = load() % 2\n", 1, 1),
        ("t = t * 2\nx = tensor(t)\n", 2, None),
    ],
)
def test_follows_variables_and_functions_back(tmp_path: Path, program: str, at: int, wanted: int | None) -> None:
    file = tmp_path / "program.py"
    file.write_text(program)
    assert first_up_to(f"{file}:{at}", is_rest) == (f"{file}:{wanted}" if wanted is not None else None)


@pytest.mark.parametrize(
    ("program", "at", "wanted"),
    [
        ("x = load()\nloss = mse(model(x % 2), y).mean()\n", 2, 2),
        ("x = load() % 2\nout = self.model(x)\n", 2, 1),
        ("x = load()\nout = model(x).argmax(1) % 2\n", 2, None),
        ("x = load()\nloss = F.mse_loss(x % 2, y)\n", 2, None),
    ],
)
def test_looks_at_what_a_call_is_given(tmp_path: Path, program: str, at: int, wanted: int | None) -> None:
    file = tmp_path / "program.py"
    file.write_text(program)
    assert first_in_what_is_given(f"{file}:{at}", is_rest) == (f"{file}:{wanted}" if wanted is not None else None)
