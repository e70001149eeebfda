"""`stetho ckpt` shows, checks and compares, and says in one line what it cannot read."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stetho.__main__ import main

Stetho = Any


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    weight = np.arange(6, dtype=np.float32).reshape(2, 3)
    np.savez("a.npz", **{"fc.weight": weight, "fc.bias": np.ones(2, np.float32)})
    np.savez("b.npz", **{"fc.weight": weight + 1, "fc.bias": np.ones(2, np.float32)})
    np.savez("nan.npz", w=np.array([np.nan, 1.0]))
    return tmp_path


@pytest.mark.usefixtures("files")
def test_show_prints_the_tree(stetho: Stetho) -> None:
    done = stetho("ckpt", "show", "a.npz")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0] == "a.npz · npz · 2 tensors · 8 elements · 32 B"


@pytest.mark.usefixtures("files")
def test_show_prints_json_and_values_of_chosen_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ckpt", "show", "a.npz", "--only", "*.bias", "--json"]) == 0
    assert [row["name"] for row in json.loads(capsys.readouterr().out)["tensors"]] == ["fc.bias"]
    assert main(["ckpt", "show", "a.npz", "--only", "*.bias", "--values"]) == 0
    assert capsys.readouterr().out == "fc.bias · 2 · float32\n[1. 1.]\n\n"


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["check", "a.npz"], 0),
        (["check", "nan.npz"], 0),
        (["check", "nan.npz", "--fail-on", "error"], 3),
        (["check", "a.npz", "--fail-on", "warning"], 0),
        (["diff", "a.npz", "b.npz"], 0),
        (["diff", "a.npz", "b.npz", "--fail-on", "difference"], 3),
        (["diff", "a.npz", "a.npz", "--fail-on", "difference"], 0),
    ],
)
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_the_status_follows_the_findings_only_when_asked(
    words: list[str], status: int, form: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ckpt", *words, *form]) == status
    out = capsys.readouterr().out
    assert isinstance(json.loads(out), dict) if form else out


@pytest.mark.usefixtures("files")
def test_diff_prints_layers_or_tensors(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ckpt", "diff", "a.npz", "b.npz"]) == 0
    assert "1 of 2 tensors the same, 1 changed" in capsys.readouterr().out
    assert main(["ckpt", "diff", "a.npz", "b.npz", "--tensors", "--all"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()[-2:]] == ["fc.weight", "fc.bias"]


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["show", "missing.pt"], "missing.pt: there is no such file or folder"),
        (["show", "a.npz", "b.npz"], "`stetho ckpt show` takes 1 file, not 2"),
        (["diff", "a.npz"], "`stetho ckpt diff` takes 2 files, not 1"),
        (["show", "a.npz", "--only", "conv*"], "no name in a.npz is like conv*"),
        (["look", "a.npz"], "invalid choice"),
    ],
)
def test_bad_input_gets_one_clear_error(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ckpt", *words]) == 2
    streams = capsys.readouterr()
    assert streams.out == ""
    assert said in streams.err
    assert streams.err.count("\n") == 1
