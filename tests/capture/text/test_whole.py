from pathlib import Path

import pytest

from stetho.capture.text.whole import made_whole_at, whole_at


@pytest.mark.parametrize(
    ("made", "filled", "is_found"),
    [
        ("np.zeros_like(rows)", "values[k + 3]", True),
        ("np.zeros(9, dtype=int)", "(price - mean) / std", True),
        ("torch.empty(9, dtype=torch.long)", "scale(k)", True),
        ("np.zeros_like(rows, dtype=float)", "values[k + 3]", False),
        ("np.zeros(9)", "values[k + 3]", False),
        ("np.zeros_like(rows)", "1", False),
        ("np.zeros_like(rows)", "int(values[k])", False),
        ("np.zeros_like(values)", "values[k + 3]", False),
    ],
)
def test_arrays_of_whole_numbers_that_get_others_are_found(
    tmp_path: Path, made: str, filled: str, is_found: bool
) -> None:
    program = tmp_path / "train.py"
    program.write_text(f"rows = np.arange(9)\ny = {made}\nfor k in rows:\n    y[k] = {filled}\n")
    assert whole_at(str(program)) == (f"{program}:2" if is_found else None)


def test_numbers_that_are_counted_in_fractions_are_not_whole(tmp_path: Path) -> None:
    program = tmp_path / "train.py"
    program.write_text("t = np.arange(0, 1, 0.1)\ny = np.zeros_like(t)\nfor k in range(9):\n    y[k] = f(k)\n")
    assert whole_at(str(program)) is None
    assert whole_at("gone.py") is None


@pytest.mark.parametrize(
    ("made", "is_found"),
    [
        ("torch.tensor(y, dtype=torch.long)", True),
        ("torch.from_numpy(y).long()", True),
        ("torch.LongTensor(y)", True),
        ("y.astype(np.int64)", True),
        ("torch.as_tensor(y, dtype=torch.float32)", False),
        ("int(y)", False),
        ("torch.zeros(9, dtype=torch.long)", False),
    ],
)
def test_values_that_are_made_whole_at_once_are_found(tmp_path: Path, made: str, is_found: bool) -> None:
    program = tmp_path / "train.py"
    program.write_text(f"y = scaled(y)\ny = {made}\n")
    assert made_whole_at(str(program)) == (f"{program}:2" if is_found else None)


def test_of_several_lines_that_make_whole_numbers_none_is_named(tmp_path: Path) -> None:
    program = tmp_path / "train.py"
    program.write_text("a = a.long()\nb = b.long()\n")
    assert made_whole_at(str(program)) is None
