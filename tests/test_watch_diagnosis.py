"""What `stetho.watch` has watched is judged when it ends; only what is wrong is said."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
import torch

import stetho


def train(folder: Path, *, zeroed: bool, **options: Any) -> stetho.Watch:
    generator = torch.Generator().manual_seed(0)
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    with stetho.watch(model, optimizer, out=folder, select="gradients-not-zeroed", **options) as watching:
        for _ in range(40):
            if zeroed:
                optimizer.zero_grad()
            inputs = torch.randn(16, 4, generator=generator)
            torch.nn.functional.cross_entropy(model(inputs), (inputs[:, 0] > 0).long()).backward()
            optimizer.step()
    return watching


def test_says_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    watching = train(tmp_path, zeroed=False, json_file=tmp_path / "out.json")
    assert "diagnosis · 1 error · " in capsys.readouterr().err
    assert [each["check"] for each in json.loads((tmp_path / "out.json").read_text())["findings"]] == [
        "gradients-not-zeroed"
    ]
    assert watching.path is not None
    assert (watching.path / "findings.jsonl").exists()


def test_says_nothing_when_nothing_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    train(tmp_path, zeroed=True)
    assert capsys.readouterr().err == ""


def test_quiet_says_nothing_and_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    watching = train(tmp_path, zeroed=False, quiet=True)
    assert capsys.readouterr().err == ""
    assert watching.path is not None
    assert (watching.path / "findings.jsonl").exists()


def test_a_mistake_about_checks_is_a_line_and_no_exception(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    train(tmp_path, zeroed=True, ignore="nothing-of-ours")
    assert "stetho: no diagnosis: unknown check `nothing-of-ours`" in capsys.readouterr().err


def test_leaves_random_numbers_alone(tmp_path: Path) -> None:
    random.seed(3)
    before = random.getstate()
    train(tmp_path, zeroed=False)
    assert random.getstate() == before
