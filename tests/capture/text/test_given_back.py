"""What a function gives back is followed into it."""

from pathlib import Path

import pytest

from stetho.capture.text.assignments import input_made_at, target_made_at

LOAD = "def load():\n    y = read()\n    x = scale(y)\n    return {returned}\n"


@pytest.mark.parametrize(
    ("returned", "calls", "of_input", "of_target"),
    [
        ("x, y", "x, y = load()", 3, 2),
        ("x[order], y[order]", "x, y = load()", 3, 2),
        ("scale(x), y.float()", "x, y = load()", 4, 2),
        ("x, y", "a, b = load()\nx, y = load()", 6, 2),
        ("x, y\n    return None", "x, y = load()", 6, 6),
        ("both", "x, y = load()", 5, 5),
    ],
)
def test_data_of_a_function_are_made_there(
    tmp_path: Path, returned: str, calls: str, of_input: int, of_target: int
) -> None:
    file = tmp_path / "train.py"
    program = LOAD.format(returned=returned) + f"{calls}\nloss = mse(model(x), y)\n"
    file.write_text(program)
    line = f"{file}:{program.count(chr(10))}"
    assert (input_made_at(line), target_made_at(line)) == (f"{file}:{of_input}", f"{file}:{of_target}")
