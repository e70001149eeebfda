"""`stetho compare` as it is typed."""

import json
from pathlib import Path

import numpy as np
import pytest

from stetho.__main__ import main
from stetho.store.writer import RunWriter


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(tmp_path)
    folders = []
    for name, losses in (("a", [1.0, 0.5]), ("b", [1.0, 0.6])):
        writer = RunWriter.create(Path("runs"), name, {"command": ["train.py"], "steps": 2})
        for step, loss in enumerate(losses, start=1):
            writer.append("steps", {"step": step, "loss": loss})
        writer.close({})
        folders.append(str(writer.path))
    return folders


def test_different_runs_have_status_one(runs: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", *runs]) == 1
    assert "0.5 and 0.6 at step 2" in capsys.readouterr().out


def test_equal_runs_have_status_zero_and_options_may_come_last(
    runs: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", runs[0], runs[0], "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["equal"] is True


def test_a_looser_tolerance_keeps_the_curves_together(runs: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    main(["compare", *runs, "--tolerance", "0.5", "--json", "out.json"])
    assert json.loads(Path("out.json").read_text())["loss"]["first_off"] is None
    assert "within 0.5 of each other" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["only-one"], "1 things to compare"),
        (["a", "b", "--rerrun"], "unknown option `--rerrun`, did you mean `--rerun`?"),
        (["--compiled", "--dtype", "bf16", "train.py"], "2 ways to run a program"),
        (["--dtype", "bf16", "gone.py"], "no such program"),
        (
            ["--device", "gpu", "train.py"],
            "`--device` (=gpu) must be one of: cpu, cuda, mps, xpu",
        ),
        (["--dtype", "bf16", "--steps", "0", "train.py"], "`--steps` (=0) is less than 1"),
        (["a", "b", "--compiled"], "put it before the program"),
        (["nothing", "here"], "are no recorded runs"),
    ],
)
def test_bad_words_get_one_clear_line(
    words: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("train.py").write_text("")
    assert main(["compare", *words]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


MODELS = """
import torch
from torch import nn

def gelu(approximate="none"):
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(4, 4), nn.GELU(approximate=approximate))
"""


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(tmp_path)
    Path("compared_models.py").write_text(MODELS)
    return ["compared_models.py:gelu", "compared_models.py:gelu('tanh')"]


def test_different_models_have_status_one(models: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", *models, "--input", "2,4", "--json", "found.json"]) == 1
    assert "`approximate` is 'none' in the first, 'tanh' in the second" in capsys.readouterr().out
    assert json.loads(Path("found.json").read_text())["first_difference"]["other"]["layer"] == "1"


def test_equal_models_have_status_zero_and_matches_are_written(models: list[str]) -> None:
    assert main(["compare", models[0], models[0], "--input", "2,4", "--matches", "matches.txt"]) == 0
    assert "1 = 1" in Path("matches.txt").read_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["compared_models.py:gelu"], "no inputs"),
        (["compared_models.py:gleu", "--input", "2,4"], "did you mean `gelu`?"),
        (["gone.py:gelu", "--input", "2,4"], "no such file: gone.py"),
        (["a-run"], "`a-run` is no model, and the other one is"),
        (["compared_models.py:gelu", "--input", "2,5"], "fails on this input"),
        (["compared_models.py:gelu", "--input", "2,4", "--tolerance", "-1"], "is not above 0"),
        (["compared_models.py:gelu", "--input", "2,4", "--port", "--as-is"], "not allowed with"),
        (["compared_models.py:gelu", "--input", "2,4", "--matches", "no/matches.txt"], "cannot be written"),
    ],
)
def test_bad_words_about_models_get_one_clear_line(
    words: list[str], message: str, models: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", models[0], *words]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_checkpoints_are_told_apart_by_their_tensors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, value in (("a", 1.0), ("b", 2.0)):
        np.savez(name, weight=np.full(3, value))
    assert main(["compare", "a.npz", "b.npz"]) == 1
    assert "first difference: weight" in capsys.readouterr().out
    assert main(["compare", "a.npz", "a.npz", "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["kind"] == "checkpoints"
