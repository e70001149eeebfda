"""Tests of targets: what a person types becomes a live model, or one clear error."""

import math
import sys
from pathlib import Path

import pytest
import torch
from torch import nn

from stetho.errors import UsageError
from stetho.inspect.target import load_object, load_target
from stetho.store.writer import RunWriter

MODELS = """
import sys
from neighbour_of_a_test import WIDTH
import torch
from torch import nn

print("loading")
words = list(sys.argv)

class Net(nn.Module):
    def __init__(self, width, depth=1):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))

def make():
    return Net(WIDTH), "something else"

ready = Net(2)
number = 3

def fails():
    raise ValueError("no data here")
"""
PROGRAM = """
import sys, torch
from torch import nn
model = nn.Sequential(nn.Linear(4, 3), nn.ReLU())
loss = nn.ReLU()(torch.ones(2))
for batch in [torch.full((2, 4), 5.0)]:
    try:
        model(input=batch)
    except Exception:
        pass
print(sys.argv)
"""


@pytest.fixture
def models(tmp_path: Path) -> Path:
    (tmp_path / "neighbour_of_a_test.py").write_text("WIDTH = 5\n")
    file = tmp_path / "models_of_a_test.py"
    file.write_text(MODELS)
    return file


def test_a_function_a_class_and_an_object_of_a_file_are_models(
    models: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = list(sys.argv)
    assert load_target(f"{models}:make").model.layers[0].in_features == 5
    assert len(load_target(f"{models}:Net(2, depth=3)").model.layers) == 3
    assert load_target(f"{models}:ready").model.layers[0].in_features == 2
    assert load_object(f"{models}:words") == [str(models)]
    assert sys.argv == before
    assert capsys.readouterr().out == ""


def test_a_module_of_an_installed_package_has_models() -> None:
    assert isinstance(load_target("torch.nn:Linear(1, 2)").model, nn.Linear)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Nett", "unknown name `Nett`, did you mean `Net`"),
        ("Net", "give its arguments"),
        ("number", "is an int, not a module"),
        ("fails", "ValueError: no data here at .*models_of_a_test.py:"),
        ("Net(x)", "a call with plain values"),
        ("Net(", "a call with plain values"),
    ],
)
def test_what_is_no_model_is_one_clear_error(models: Path, name: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        load_target(f"{models}:{name}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nowhere.py:Net", "no such file: nowhere.py"),
        ("nowhere.py", "no such file: nowhere.py"),
        ("nowhere.pt", "no such file: nowhere.pt"),
        ("no_such_package.models:Net", "no module named `no_such_package.models`"),
        ("no_such_run", "is no model"),
    ],
)
def test_what_is_not_there_is_one_clear_error(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        load_target(text)


def test_a_file_that_cannot_be_imported_tells_why(tmp_path: Path) -> None:
    file = tmp_path / "broken_models_of_a_test.py"
    file.write_text("import torch\nthis is no Python\n")
    with pytest.raises(UsageError, match="cannot be imported: SyntaxError"):
        load_target(f"{file}:Net")


def test_a_program_is_run_until_it_calls_its_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "train.py"
    file.write_text(PROGRAM)
    main, hook = sys.modules["__main__"], sys.excepthook
    found = load_target(str(file))
    assert isinstance(found.model, nn.Sequential)
    assert found.call is not None
    assert found.call.kwargs["input"].tolist() == [[5.0] * 4] * 2
    assert (sys.modules["__main__"], sys.excepthook) == (main, hook)
    assert capsys.readouterr().out == ""
    assert found.model(torch.ones(1, 4)).shape == (1, 3)


def test_a_recorded_run_stands_for_its_program(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(PROGRAM)
    writer = RunWriter.create(tmp_path / "runs", "train", {"command": ["train.py"], "cwd": str(tmp_path)})
    assert isinstance(load_target(str(writer.path)).model, nn.Sequential)


def test_a_run_without_a_program_or_without_its_folder_is_one_clear_error(tmp_path: Path) -> None:
    nameless = RunWriter.create(tmp_path / "a", "train", {"command": [], "cwd": str(tmp_path)})
    moved = RunWriter.create(tmp_path / "b", "train", {"command": ["train.py"], "cwd": str(tmp_path / "gone")})
    with pytest.raises(UsageError, match="not started from a program"):
        load_target(str(nameless.path))
    with pytest.raises(UsageError, match="is gone"):
        load_target(str(moved.path))


def test_two_names_out_of_one_file_run_it_once(tmp_path: Path) -> None:
    file = tmp_path / "made_once.py"
    file.write_text("first = object()\nsecond = [first]\n")
    try:
        assert load_object(f"{file}:second")[0] is load_object(f"{file}:first")
    finally:
        sys.modules.pop("made_once", None)


def test_a_function_that_is_wanted_itself_is_not_called() -> None:
    assert load_object("math:floor", is_called=False) is math.floor
