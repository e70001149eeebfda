"""Inputs and targets are followed to the line that cuts them out of their sequence."""

from pathlib import Path

import pytest

from stetho.capture.text.shifts import shifted_at

CASES = {
    "both at once": ("x, y = ids[:, :-1], ids[:, 1:]\nloss = ce(model(x), y)", 2, 1),
    "one after the other": ("x = ids[:, :-1]\ny = ids[:, 1:]\nloss = ce(model(x), y)", 3, 2),
    "one sequence": ("y = ids[1:]\nloss = ce(model(ids[0]), y)", 2, 1),
    "in the line itself": ("x = ids[:, :-1]\nloss = ce(model(x), ids[:, 1:])", 2, None),
    "a choice of rows": ("x, y = data[:900], labels[:900]\nloss = ce(model(x), y)", 2, None),
    "outside of the function": ("y = ids[:, 1:]\ndef step(x):\n    return ce(model(x), y)", 3, None),
}


@pytest.mark.parametrize(("text", "used", "cut"), CASES.values(), ids=CASES)
def test_the_cut_is_found(text: str, used: int, cut: int | None, tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text(text)
    assert shifted_at(f"{file}:{used}") == (f"{file}:{cut}" if cut else None)
