"""`stetho compare` as it is typed."""

import json
from pathlib import Path

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
        (["--device", "gpu", "train.py"], "must be one of"),
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
