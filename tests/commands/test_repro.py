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
