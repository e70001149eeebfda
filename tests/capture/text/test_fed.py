"""Data are followed from the loop through loader and data set to the arrays."""

from pathlib import Path

import pytest

from stetho.capture.text.fed import fed_at, loaded_at

LOOP = "\nfor x, y in loader:\n    loss = f(model(x), y)"
CASES = {
    "a loader of tensors": ("a = load()\nb = labels()\nloader = DataLoader(TensorDataset(a, b), 32)" + LOOP, 5, 2),
    "a data set by name": ("b = labels()\ndata = TensorDataset(a, b)\nloader = DataLoader(data)" + LOOP, 5, 1),
    "a part of an array": ("b = labels()\nloader = DataLoader(TensorDataset(a[:9], b[:9]))" + LOOP, 4, 1),
    "one of the parts of a data set": (
        "b = labels()\nloader, rest = random_split(TensorDataset(a, b), [8, 2])\nloader = DataLoader(loader)" + LOOP,
        5,
        1,
    ),
    "what a function gives back": (
        "def load():\n    b = labels()\n    return images(), b\na, b = load()\n"
        "loader = DataLoader(TensorDataset(a[:9], b[:9]))" + LOOP,
        7,
        2,
    ),
    "a data set that a function gives back beside others": (
        "def load():\n    b = labels()\n    return other(), TensorDataset(a, b)\nrest, data = load()\n"
        "loader = DataLoader(data)" + LOOP,
        7,
        2,
    ),
    "a data set that a small function puts together": (
        "def pack(u, v):\n    return TensorDataset(tensor(u), tensor(v))\nb = labels()\nloader = DataLoader(pack(a, b))"
        + LOOP,
        6,
        3,
    ),
    "a data set that is put together in one line": (
        "pack = lambda u, v: TensorDataset(tensor(u), tensor(v))\nb = labels()\nloader = DataLoader(pack(a, b))" + LOOP,
        5,
        2,
    ),
    "counted turns": (
        "b = labels()\nloader = DataLoader(TensorDataset(a, b))\nfor i, (x, y) in enumerate(loader):\n    f(y)",
        4,
        1,
    ),
    "two arrays at once": ("b = labels()\nfor x, y in zip(a, b):\n    f(y)", 3, 1),
    "a function that is given the loader": (
        "b = labels()\nloader = DataLoader(TensorDataset(a, b))\n"
        "def train(batches):\n    for x, y in batches:\n        f(y)\n\ntrain(loader)",
        5,
        1,
    ),
}


def test_the_first_of_counted_turns_is_the_first_array(tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text("a = load()\nb = labels()\nfor i, (x, y) in enumerate(TensorDataset(a, b)):\n    f(x)")
    assert fed_at(f"{file}:4", "x") == f"{file}:1"


@pytest.mark.parametrize(("text", "used", "made"), CASES.values(), ids=CASES)
def test_the_array_behind_a_variable_is_found(text: str, used: int, made: int, tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text(text)
    assert fed_at(f"{file}:{used}", "y") == f"{file}:{made}"


UNKNOWN = {
    "a data set of its own": "loader = DataLoader(Pictures())\nfor x, y in loader:\n    f(y)",
    "a plain list": "for x, y in pairs:\n    f(y)\n",
    "no loop": "x = 1\ny = 2\nf(y)",
}


@pytest.mark.parametrize("text", UNKNOWN.values(), ids=UNKNOWN)
def test_what_cannot_be_followed_has_no_line(text: str, tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text(text)
    assert fed_at(f"{file}:3", "y") is None


def test_a_loader_is_followed_to_its_first_array(tmp_path):
    file = tmp_path / "loaders.py"
    file.write_text(
        "x = scale(load())\n"
        "train = TensorDataset(x, y)\n"
        "test = TensorDataset(torch.tensor(z), w)\n"
        "both = DataLoader(train, 8, shuffle=True), DataLoader(test, 8)\n"
        "other = DataLoader(Own(x), 8)\n"
    )
    assert loaded_at(f"{file}:4", True) == f"{file}:1"
    assert loaded_at(f"{file}:4", False) == f"{file}:3"
    assert loaded_at(f"{file}:4", None) is None
    assert loaded_at(f"{file}:5", False) is None
