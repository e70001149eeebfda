"""`stetho trace` from the command line."""

import subprocess
import sys

PROGRAM = """
import torch
from torch import nn
torch.manual_seed(0)
model = nn.Linear(3, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(6):
    optimizer.zero_grad()
    out = model(torch.ones(4, 3))
    loss = (out * (0 if step == 3 else 1)).abs().log().mean()
    loss.backward()
    optimizer.step()
print("the end")
"""


def trace(folder, *words):
    (folder / "train.py").write_text(PROGRAM)
    command = [sys.executable, "-m", "stetho", "trace", *words, "train.py"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)


def test_stops_at_the_fault_and_names_it(tmp_path):
    ended = trace(tmp_path, "--from-step", "2")
    assert ended.returncode == 0, ended.stderr
    assert "the end" not in ended.stdout
    assert "step 4" in ended.stderr
    assert "log(0) = -inf at [0, 0] is where it began  (train.py:10)" in ended.stderr


def test_a_step_before_the_first_is_refused(tmp_path):
    ended = trace(tmp_path, "--from-step", "0")
    assert ended.returncode == 2
    assert "steps are counted from 1" in ended.stderr
