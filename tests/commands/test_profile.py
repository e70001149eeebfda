"""`stetho profile` from the command line."""

import json
from pathlib import Path
from typing import Any

Stetho = Any

PROGRAM = """
import sys
import torch
from torch import nn
from torch.utils.data import DataLoader
torch.set_num_threads(1)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
optimizer = torch.optim.Adam(model.parameters())
data = [(torch.ones(4), 1)] * 64
for epoch in range(1000):
    for inputs, labels in DataLoader(data, batch_size=8, shuffle=True):
        if len(inputs) > 8:
            raise ValueError("more than 8")
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(inputs), labels).backward()
        optimizer.step()
    print("epoch", epoch)
"""


def test_reports_on_stderr_and_writes_what_was_asked_for(stetho: Stetho, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(PROGRAM)
    words = ["--steps", "4", "--try", "0.3", "-o", "step.json", "-o", "flame.html"]
    done = stetho("profile", *words, "train.py", "--lr", "1")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("epoch 0\n")
    assert "stetho profile · train.py --lr 1 · " in done.stderr
    assert " bound: " in done.stderr
    assert "DataLoader, 0 workers, batch 8 · train.py:11" in done.stderr
    assert "USDT" not in done.stderr
    assert "Traceback" not in done.stderr
    document = json.loads((tmp_path / "step.json").read_text())
    assert {layer["name"] for layer in document["layers"]} == {"model", "0", "1", "2"}
    assert document["trials"][0]["setting"] == "as it is"
    assert (tmp_path / "flame.html").read_text().startswith("<!doctype html>")


def test_a_program_that_fails_fails_as_itself(stetho: Stetho, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("import torch\nraise ValueError('no data')\n")
    done = stetho("profile", "train.py")
    assert done.returncode == 1
    assert "ValueError: no data" in done.stderr
    assert "stetho: nothing was profiled: fewer than 6 steps were seen" in done.stderr


def test_a_program_that_makes_no_step_is_no_success(stetho: Stetho, tmp_path: Path) -> None:
    (tmp_path / "idle.py").write_text("import torch\n")
    done = stetho("profile", "idle.py")
    assert (done.returncode, "nothing was profiled" in done.stderr) == (1, True)


def test_what_means_nothing_is_refused_before_the_program_runs(stetho: Stetho, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("print('ran')")
    for words, said in (
        (["--steps", "0"], "`steps` (=0) must be a number of at least 1"),
        (["-o", "step.xyz"], "how the name ends tells what is written"),
        (["--callback", "nowhere:f"], "--callback: `nowhere:f` cannot be loaded"),
        (["--callback", "nonsense"], "must name a function"),
    ):
        done = stetho("profile", *words, "train.py")
        assert (done.returncode, done.stdout) == (2, "")
        assert said in done.stderr
