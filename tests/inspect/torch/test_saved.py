"""Tests of modules in files."""

from pathlib import Path

import pytest
import torch
from torch import nn

from stetho.errors import UsageError
from stetho.inspect.call import Call
from stetho.inspect.torch.recording import record
from stetho.inspect.torch.saved import load_saved


@pytest.mark.filterwarnings("ignore:`torch.jit.*` is deprecated:DeprecationWarning")
def test_torchscript_is_opened(tmp_path: Path) -> None:
    file = tmp_path / "script.pt"
    torch.jit.save(torch.jit.script(nn.Linear(2, 3)), file)
    assert load_saved(file)(torch.ones(1, 2)).shape == (1, 3)


def test_an_exported_program_is_opened(tmp_path: Path) -> None:
    file = tmp_path / "exported.pt2"
    torch.export.save(torch.export.export(nn.Linear(2, 3), (torch.ones(1, 2),)), file)
    assert load_saved(file)(torch.ones(1, 2)).shape == (1, 3)


def test_an_exported_program_has_its_layers(tmp_path: Path) -> None:
    file = tmp_path / "exported.pt2"
    model = nn.Sequential(nn.Linear(2, 3), nn.Sequential(nn.ReLU(), nn.Linear(3, 1)))
    torch.export.save(torch.export.export(model, (torch.ones(1, 2),)), file)
    recording = record(load_saved(file), Call((torch.ones(1, 2),)))
    assert [(call.name, call.kind) for call in sorted(recording.calls)[1:]] == [
        ("0", "Linear"),
        ("1", "Sequential"),
        ("1.0", "ReLU"),
        ("1.1", "Linear"),
    ]


def test_a_pickled_module_is_opened_only_when_it_is_trusted(tmp_path: Path) -> None:
    file = tmp_path / "pickled.pt"
    torch.save(nn.Linear(2, 3), file)
    with pytest.raises(UsageError, match="add --unsafe if you trust it"):
        load_saved(file)
    assert isinstance(load_saved(file, unsafe=True), nn.Linear)


@pytest.mark.parametrize("unsafe", [False, True])
def test_weights_alone_are_no_module(tmp_path: Path, unsafe: bool) -> None:
    file = tmp_path / "weights.pt"
    torch.save(nn.Linear(2, 3).state_dict(), file)
    with pytest.raises(UsageError, match=r"file\.py:callable"):
        load_saved(file, unsafe=unsafe)


@pytest.mark.parametrize("unsafe", [False, True])
def test_a_file_of_something_else_is_one_clear_error(tmp_path: Path, unsafe: bool) -> None:
    file = tmp_path / "notes.pt"
    file.write_text("hello")
    with pytest.raises(UsageError, match=r"notes\.pt"):
        load_saved(file, unsafe=unsafe)
