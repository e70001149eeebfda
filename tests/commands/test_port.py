"""`stetho port`."""

from pathlib import Path

import pytest

from stetho.__main__ import main

MODELS = """
import torch
from torch import nn

def one():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(4, 4), nn.Tanh())

class Other(nn.Module):
    def __init__(self, fault=False):
        super().__init__()
        self.w, self.b, self.fault = nn.Parameter(torch.ones(4, 4)), nn.Parameter(torch.ones(4)), fault

    def forward(self, x):
        y = x @ self.w + self.b
        return y if self.fault else y.tanh()
"""


@pytest.fixture(autouse=True)
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ported_models.py").write_text(MODELS)
    return tmp_path


def run(*words: str) -> int:
    return main(["port", "ported_models.py:one", *words])


def test_writes_confirmed_weights(models: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("ported_models.py:Other", "--input", "2,4", "--out", "w.safetensors") == 0
    assert "0.weight, transposed" in capsys.readouterr().out
    assert (models / "w.safetensors").exists()


def test_writes_nothing_where_outputs_differ_unless_forced(models: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("ported_models.py:Other(True)", "--input", "2,4", "--out", "w.safetensors")
    assert run(*words) == 1
    assert "nothing is written" in capsys.readouterr().out
    assert not (models / "w.safetensors").exists()
    assert run(*words, "--force") == 1
    assert (models / "w.safetensors").exists()


def test_says_which_layer_is_which_in_a_file(models: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("ported_models.py:one", "--input", "2,4", "--matches", "matches.txt")
    assert run(*words) == 0
    assert "0 = 0" in (models / "matches.txt").read_text()
    (models / "matches.txt").write_text("0 = 7\n")
    assert run(*words) == 2
    assert "matches.txt:1: unknown layer" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("ported_models.py:Other", "--input", "2,4", "--out", "w.pt"), "does not end with .safetensors"),
        (("ported_models.py:Othr", "--input", "2,4"), "Othr"),
        (("ported_models.py:Other",), "no inputs"),
        (("ported_models.py:Other", "--input", "2,4", "--weights", "no.pt"), "no such file"),
    ],
)
def test_bad_input_is_told(words: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*words) == 2
    assert message in capsys.readouterr().err
