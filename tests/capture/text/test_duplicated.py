"""Where rows are duplicated before they are split is found in the text of the program."""

from pathlib import Path

import pytest

from stetho.capture.text.duplicated import duplicated_at

HELPER = """\
def balance(x, y):
    extra = rng.choice(np.flatnonzero(y), size=9, replace=True)
    return np.concatenate([x, x[extra]]), np.concatenate([y, y[extra]])
def main():
    x, y = load()
"""


@pytest.mark.parametrize(
    ("program", "line"),
    [
        (HELPER + "    x, y = balance(x, y)\n    data = TensorDataset(x, y)\n    random_split(data, [8, 2])\n", 6),
        (HELPER + "    a, b, c, d = train_test_split(x, y)\n    a, c = balance(a, c)\n", None),
        ("x = torch.cat([x, x])\na, b = train_test_split(x)\n", 1),
        ("x = torch.cat([x, z])\na, b = train_test_split(x)\n", None),
        ("w = np.repeat(1.0, 9)\na, b = train_test_split(x)\n", None),
        ("x = x[rng.choice(9, replace=False)]\na, b = train_test_split(x)\n", None),
    ],
)
def test_rows_that_are_duplicated_before_a_split_are_told(tmp_path: Path, program: str, line: int | None) -> None:
    file = tmp_path / "data.py"
    file.write_text(program)
    assert duplicated_at(str(file)) == (f"{file}:{line}" if line else None)
