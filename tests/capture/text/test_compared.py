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

IN_STEPS = """\
def huber(pred, target, delta=1.0):
    err = (pred - target).abs()
    quad = torch.clamp(err, max=delta)
    return (0.5 * quad ** 2 + delta * (err - quad)).mean()
def weighted(pred, target, weight):
    err = (pred - target).abs()
    return (err * weight.expand_as(err)).mean()
def taught(model, x, y):
    scaled = x * y
    return (model(scaled) - y).abs().mean()
loss = huber(net(x), y) + weighted(net(x), y, w) + taught(net, x, y)
loss.backward()
"""


@pytest.mark.parametrize(
    ("returned", "line"),
    [(4, 11), (7, 6), (10, None)],
    ids=["its caller", "where they meet in one that shapes them", "nothing of one that calls the model"],
)
def test_a_formula_of_several_lines_is_read(tmp_path: Path, returned: int, line: int | None) -> None:
    file = tmp_path / "train.py"
    file.write_text(IN_STEPS)
    assert compared_at(f"{file}:{returned}", f"{file}:12") == (f"{file}:{line}" if line else None)


@pytest.mark.parametrize(("returned", "called"), [(3, 8), (6, 6), (11, None)])
def test_a_bare_formula_is_followed_to_its_caller(tmp_path: Path, returned: int, called: int | None) -> None:
    file = tmp_path / "train.py"
    file.write_text(PROGRAM)
    assert compared_at(f"{file}:{returned}", f"{file}:10") == (f"{file}:{called}" if called else None)


def test_called_from_another_file_they_meet_in_the_formula(tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text(PROGRAM)
    assert compared_at(f"{file}:3", "other.py:10") == f"{file}:3"
