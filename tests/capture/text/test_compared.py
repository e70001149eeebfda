"""Who hands predictions and targets to a formula is found in the text of the program."""

from pathlib import Path

import pytest

from stetho.capture.text.compared import compared_at

PROGRAM = """\
def mse(pred, target):
    \"\"\"Mean square.\"\"\"
    return ((pred - target) ** 2).mean()
def flat(pred, target):
    pred = pred.flatten()
    return (pred - target).abs().mean()
def step(x, y):
    one = mse(model(x), y)
    two = flat(model(x), y)
    (one + two).backward()
mse(model(x), y)
"""


@pytest.mark.parametrize(("returned", "called"), [(3, 8), (6, None), (11, None)])
def test_a_bare_formula_is_followed_to_its_caller(tmp_path: Path, returned: int, called: int | None) -> None:
    file = tmp_path / "train.py"
    file.write_text(PROGRAM)
    assert compared_at(f"{file}:{returned}", f"{file}:10") == (f"{file}:{called}" if called else None)


def test_another_file_tells_nothing(tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text(PROGRAM)
    assert compared_at(f"{file}:3", "other.py:10") is None
