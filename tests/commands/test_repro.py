"""`stetho repro` on the command line."""

import subprocess
import sys
from pathlib import Path

PROGRAM = """
import torch
from torch import nn
torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(3, 2)
    def forward(self, x):
        return torch.log(torch.relu(self.body(x)))
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(2):
    optimizer.zero_grad()
    model(torch.randn(5, 3)).mean().backward()
    optimizer.step()
"""


SPIKE = """
import torch
from torch import nn
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
for step in range(30):
    optimizer.zero_grad()
    target = torch.zeros(5, 1)
    if step == 27:
        target[3] = 1000.0
    nn.functional.mse_loss(model(torch.randn(5, 3)), target).backward()
    optimizer.step()
"""


def stetho(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=180)


def test_from_a_program_to_a_failing_test(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(PROGRAM)
    ran = stetho(tmp_path, "stetho", "run", "-q", "--bundle", "train.py")
    assert ran.returncode == 0, ran.stderr
    (run,) = (tmp_path / "stetho-runs").iterdir()
    made = stetho(tmp_path, "stetho", "repro", str(run))
    assert made.returncode == 0, made.stderr
    assert "1 of 5 samples" in made.stdout
    tested = stetho(tmp_path, "pytest", "-q", "test_repro.py")
    assert tested.returncode == 1, tested.stdout
    again = stetho(tmp_path, "stetho", "repro", str(run))
    assert (again.returncode, "exists" in again.stderr) == (2, True)


def test_a_spike_of_the_loss_becomes_a_test_that_fails_by_the_height_of_the_loss(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(SPIKE)
    assert stetho(tmp_path, "stetho", "run", "-q", "--bundle", "train.py").returncode == 0
    (run,) = (tmp_path / "stetho-runs").iterdir()
    replayed = stetho(tmp_path, "stetho", "replay", str(run))
    assert "loss and gradients are finite; far above the losses before it" in replayed.stdout
    higher = stetho(tmp_path, "stetho", "repro", str(run), "--above", "1e9")
    assert (higher.returncode, "is not above 1e+09; --above LOSS" in higher.stderr) == (2, True)
    made = stetho(tmp_path, "stetho", "repro", str(run))
    assert made.returncode == 0, made.stderr
    assert "1 of 5 samples" in made.stdout
    assert "layer" not in made.stdout
    tested = stetho(tmp_path, "pytest", "-q", "test_repro.py")
    assert tested.returncode == 1, tested.stdout
    assert "test_loss_is_as_the_losses_before_let_expect" in tested.stdout
