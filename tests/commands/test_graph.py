"""Tests of `stetho graph`."""

from pathlib import Path

import pytest

from stetho.__main__ import main

NETWORKS = str(Path(__file__).parents[1] / "inspect" / "networks.py")


def test_writes_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "graph.html"
    words = ["graph", f"{NETWORKS}:Gpt", "--input", "2,6:int64", "-o", str(file), "--colour", "FLOPs", "--depth", "2"]
    assert main(words) == 0
    assert '"colour":"FLOPs"' in file.read_text(encoding="utf-8")
    assert "nodes" in capsys.readouterr().out


def test_a_form_without_colours_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["graph", "torch.nn:Linear(3, 2)", "--input", "1,3", "-o", str(tmp_path / "graph.dot")]
    assert main([*words, "--colour", "FLOPs"]) == 0
    assert main(words) == 0
    assert ["colours are for" in line for line in capsys.readouterr().out.splitlines()] == [True, False]


def test_a_failing_model_is_drawn_and_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "graph.svg"
    assert main(["graph", f"{NETWORKS}:Wrong", "--input", "3,4", "-o", str(file)]) == 2
    assert "relu" in file.read_text(encoding="utf-8")
    assert "shows the model as far as it came: layer `second`" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-o", "graph.png"], "has the ending `.png`"),
        (["--depth", "0"], "`--depth` (=0) is less than 1"),
        (["--colour", "FLOP", "--input", "1"], "unknown colour `FLOP`"),
        (["--input", "1", "--stats", "no-such-run"], "no-such-run"),
        ([], "no inputs"),
    ],
)
def test_bad_input_is_one_clear_error(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["graph", "torch.nn:ReLU", *words]) == 2
    assert message in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
