"""`stetho show` prints what a run was."""

import json
from pathlib import Path
from typing import Any

import pytest

Stetho = Any


def test_shows_the_latest_run_in_short(stetho: Stetho, recorded: Path) -> None:
    done = stetho("show")
    assert done.returncode == 0
    assert done.stdout == (
        "stetho · 2026-11-15_19-40-27_train · finished after 2.5 s\n"
        "  program   train.py\n"
        "  steps     2 · 1 steps/s\n"
        "  loss      1 → 0.5 · █▁\n"
        "  model     net · 1 layer · 6 parameters, 0 trainable\n"
        "  measured  every step fully\n"
        f"  run       stetho-runs/{recorded.name}\n"
    )


@pytest.mark.parametrize("run", ["train", "stetho-runs", "2026-11-15_19-40-27_train"])
@pytest.mark.usefixtures("recorded")
def test_takes_a_name_or_a_folder(run: str, stetho: Stetho) -> None:
    assert "· finished after" in stetho("show", run).stdout


@pytest.mark.usefixtures("recorded")
def test_shows_layers_and_parameters(stetho: Stetho) -> None:
    layers = stetho("show", "--layers").stdout.splitlines()
    assert layers[0].split() == ["layer", "class", "output", "step", "mean", "std", "absmax", "zeros", "grad", "rms"]
    assert layers[1].split()[:5] == ["fc1", "–", "–", "2", "0.5"]
    parameters = stetho("show", "--parameters").stdout.splitlines()
    assert parameters[1].split() == ["fc1.weight", "–", "2", "–", "0.5", "–"]


@pytest.mark.usefixtures("recorded")
def test_prints_json(stetho: Stetho) -> None:
    summary = json.loads(stetho("show", "--json").stdout)
    assert (summary["steps"], summary["losses"]["0"]["last"], summary["state"]) == (2, 0.5, "finished")
    (layer,) = json.loads(stetho("show", "--json", "--layers").stdout)
    assert layer["stats"]["act.mean"] == 0.5


@pytest.mark.usefixtures("recorded")
def test_is_plain_in_a_pipe_and_needs_no_torch(stetho: Stetho, tmp_path: Path) -> None:
    (tmp_path / "torch.py").write_text("raise ImportError('not here')")
    done = stetho("show", PYTHONPATH=str(tmp_path))
    assert done.returncode == 0
    assert "\x1b" not in done.stdout


def test_no_run_is_one_line_and_status_two(stetho: Stetho) -> None:
    done = stetho("show")
    assert done.returncode == 2
    assert done.stderr.startswith("stetho: ")
    assert done.stderr.count("\n") == 1


def test_damage_is_one_line_and_status_two(stetho: Stetho, recorded: Path) -> None:
    for file in (recorded / "steps").iterdir():
        file.write_bytes(file.read_bytes()[:100])
    done = stetho("show")
    assert done.returncode == 2
    assert done.stderr.startswith("stetho: ")
    assert "Traceback" not in done.stderr


def test_nothing_measured_is_said(stetho: Stetho, recorded: Path) -> None:
    for file in (recorded / "stats").iterdir():
        file.unlink()
    (recorded / "series.jsonl").unlink()
    (recorded / "model.json").unlink()
    done = stetho("show", "--layers")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "nothing was measured in this run\n")
