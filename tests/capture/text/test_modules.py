"""Names are followed to the files that they are imported from, by the modules that are loaded."""

import ast
import builtins
import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from stetho.capture.text import modules
from stetho.capture.text.assignments import input_made_at, loss_made_at, target_made_at
from stetho.capture.text.chosen import chosen_at
from stetho.capture.text.given import given_at
from stetho.capture.text.modules import (
    calls_elsewhere,
    files_of_program,
    imported,
    meant,
    other_files,
    program_files,
)
from stetho.capture.text.sliced import batch_written_at

Project = Callable[..., Path]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Project]:
    """Writes a package of the name of the test's folder, and imports it."""
    name = "p_" + tmp_path.name
    known = set(sys.modules)
    # Modules of all other tests are loaded as well: more files than any program is asked about.
    monkeypatch.setattr(modules, "is_user_file", lambda file: file.startswith(str(tmp_path)))
    modules._files.cache_clear()
    monkeypatch.setattr(builtins, "SGD", lambda *_, **__: None, raising=False)

    def write(**files: str) -> Path:
        folder = tmp_path / name
        folder.mkdir()
        monkeypatch.syspath_prepend(tmp_path)
        for module, text in ({"__init__": ""} | files).items():
            (folder / f"{module}.py").write_text(text.replace("PACKAGE", name))
        for module in files:
            importlib.import_module(name if module == "__init__" else f"{name}.{module}")
        return folder

    yield write
    modules._files.cache_clear()
    for module in set(sys.modules) - known:
        del sys.modules[module]


CASES = {
    "a constant": (
        {"config": "RATE = 5.0", "train": "from PACKAGE.config import RATE\no = SGD([], lr=RATE)"},
        "train:2",
        "config:1",
    ),
    "a constant under another name": (
        {"config": "RATE = 5.0", "train": "from .config import RATE as r\no = SGD([], lr=r)"},
        "train:2",
        "config:1",
    ),
    "a constant of a module": (
        {"config": "\nRATE = 5.0", "train": "from . import config\no = SGD([], lr=config.RATE)"},
        "train:2",
        "config:2",
    ),
    "what a caller elsewhere gives": (
        {
            "building": "def build(w, lr=1.0):\n    return SGD(w, lr=lr)",
            "train": "from .building import build\n\no = build([], 5.0)",
        },
        "building:2",
        "train:3",
    ),
    "what a caller of the module gives": (
        {
            "building": "def build(w, lr=1.0):\n    return SGD(w, lr=lr)",
            "train": "from PACKAGE import building\n\no = building.build([], lr=5.0)",
        },
        "building:2",
        "train:3",
    ),
    "a default that no caller overrides": (
        {
            "building": "def build(w, lr=1.0):\n    return SGD(w, lr=lr)",
            "train": "from .building import build\nbuild([])",
        },
        "building:2",
        "building:1",
    ),
    "a field of settings": (
        {
            "config": "class Config:\n    lr: float = 5.0",
            "train": "from .config import Config\nc = Config()\no = SGD([], lr=c.lr)",
        },
        "train:3",
        "config:2",
    ),
    "what a package hands on": (
        {
            "config": "RATE = 5.0",
            "__init__": "from .config import RATE",
            "train": "import PACKAGE as p\nSGD([], p.RATE)",
        },
        "train:2",
        "config:1",
    ),
}


@pytest.mark.parametrize(("files", "called", "written"), CASES.values(), ids=CASES)
def test_a_value_is_followed_into_another_file(
    files: dict[str, str], called: str, written: str, project: Project
) -> None:
    folder = project(**files)
    module, _, line = called.partition(":")
    found = given_at(f"{folder / module}.py:{line}", "lr", callee="SGD", position=1)
    assert found == f"{folder / written.partition(':')[0]}.py:{written.partition(':')[2]}"


def test_two_callers_in_other_files_tell_nothing(project: Project) -> None:
    folder = project(
        building="def build(w, lr=1.0):\n    return SGD(w, lr=lr)",
        one="from .building import build\nbuild([], 5.0)",
        two="from .building import build\nbuild([], 6.0)",
    )
    assert given_at(f"{folder}/building.py:2", "lr", callee="SGD", position=1) == f"{folder}/building.py:2"


def test_a_function_of_the_same_name_in_another_file_is_no_caller(project: Project) -> None:
    folder = project(
        building="def build(w, lr=1.0):\n    return SGD(w, lr=lr)",
        other="def build(w, lr):\n    return lr\nbuild([], 5.0)",
    )
    assert calls_elsewhere(f"{folder}/building.py", "build") == []
    assert given_at(f"{folder}/building.py:2", "lr", callee="SGD", position=1) == f"{folder}/building.py:1"


def test_a_class_chosen_elsewhere_and_a_size_written_elsewhere_are_followed(project: Project) -> None:
    folder = project(
        config="import torch.nn as nn\nACT = nn.Sigmoid\nSIZE = 32",
        train="from .config import ACT, SIZE\nlayer = ACT()\n\n\n"
        "def loop(order):\n    for rows in order.split(SIZE):\n        model(x[rows])",
    )
    assert chosen_at(f"{folder}/train.py:2", "Sigmoid") == f"{folder}/config.py:2"
    assert batch_written_at(f"{folder}/train.py:7") == f"{folder}/config.py:3"


def test_names_of_libraries_and_of_no_file_are_not_followed(project: Project) -> None:
    folder = project(train="from math import pi\nimport os.path\n")
    assert imported(f"{folder}/train.py", "pi") is None
    assert imported(f"{folder}/train.py", "os.path") is None
    assert meant("no such file.py", ast.Name("x")) is None
    assert other_files("no such file.py") == []


def test_the_files_of_the_program_are_known_by_its_modules(project: Project) -> None:
    folder = project(train="import math")
    assert f"{folder}/train.py" in program_files()
    assert not any("site-packages" in file for file in program_files())
    assert f"{folder}/train.py" not in other_files(f"{folder}/train.py")


def test_what_a_function_of_another_file_gives_back_is_followed_into_it(project: Project) -> None:
    folder = project(
        data="def load():\n    x = read()\n    y = [1, 2]\n    return x, y",
        losses="class Dice:\n    def forward(self, a):\n        return 1 - a\ndef error(a):\n    return a",
        train="from .data import load\nfrom .losses import Dice, error\n\n\ndef fit():\n    x, y = load()\n"
        "    loss = error(model(x))\n    loss.backward()\n    dice = Dice()\n    loss = dice(mse(model(x), y))\n"
        "    loss.backward()",
    )
    assert input_made_at(f"{folder}/train.py:7") == f"{folder}/data.py:2"
    assert target_made_at(f"{folder}/train.py:10") == f"{folder}/data.py:3"
    assert loss_made_at(f"{folder}/train.py:8") == f"{folder}/losses.py:5"
    assert loss_made_at(f"{folder}/train.py:11") == f"{folder}/losses.py:3"


def test_a_function_that_makes_data_twice_says_nothing_of_either(project: Project) -> None:
    folder = project(
        data="def load(n):\n    x = read(n)\n    return x",
        train="from .data import load\n\n\ndef fit():\n    x = load(1)\n    other = load(2)\n    model(x)",
    )
    assert input_made_at(f"{folder}/train.py:7") == f"{folder}/train.py:5"


def test_arrays_of_a_loader_are_followed_into_another_file(project: Project) -> None:
    folder = project(
        data="def load():\n    x = read()\n    return x",
        train="from .data import load\n\n\ndef fit():\n    x = load()\n    for a in DataLoader(TensorDataset(x)):\n"
        "        model(a)\n    for (a,) in DataLoader(TensorDataset(x)):\n        model(a)",
    )
    assert input_made_at(f"{folder}/train.py:9") == f"{folder}/data.py:2"


def test_the_other_files_are_read_only_if_the_program_itself_was_started(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = project(data="x = 1", train="from . import data")
    train, data = f"{folder}/train.py", f"{folder}/data.py"
    assert files_of_program([train]) == [train]
    monkeypatch.setitem(sys.modules, "__main__", sys.modules[f"{folder.name}.train"])
    assert files_of_program([train])[0] == train
    assert data in files_of_program([train])
    assert files_of_program(["<cell>"]) == ["<cell>"]


def test_what_is_handed_to_a_loop_in_another_file_is_followed_to_where_it_is_made(project: Project) -> None:
    folder = project(
        data="def load():\n    x = read()\n    return x, [1]",
        engine="def fit(model, x, y):\n    for rows in order:\n        loss = mse(model(x[rows]), y[rows])",
        train="from .data import load\nfrom .engine import fit\n\n\ndef main():\n    x, y = load()\n    fit(net, x, y)",
    )
    assert input_made_at(f"{folder}/engine.py:3") == f"{folder}/data.py:2"
    assert target_made_at(f"{folder}/engine.py:3") == f"{folder}/data.py:3"
