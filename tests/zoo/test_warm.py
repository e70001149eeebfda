"""Programs in forks behave as programs."""

import json
from multiprocessing import get_context

from zoo.warm import TOO_LONG, run_in_fork

PROGRAM = """
import sys, torch
from torch import nn
model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(30):
    optimizer.zero_grad()
    model(torch.randn(8, 2)).square().mean().backward()
    optimizer.step()
print("done", sys.argv[1:])
sys.exit(5)
"""


def test_a_fork_is_watched_and_gives_its_own_status_and_output(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    assert run_in_fork(["run", "-q", "--json", "verdict.json", "program.py", "--lr", "1"], tmp_path, 100) == 5
    assert "done ['--lr', '1']" in (tmp_path / "said").read_text()
    assert "findings" in json.loads((tmp_path / "verdict.json").read_text())


def test_a_program_in_a_worker_of_a_pool_may_have_workers_of_its_own(tmp_path):
    (tmp_path / "program.py").write_text(
        "from torch.utils.data import DataLoader\nprint(sum(DataLoader([1, 2, 3], num_workers=2)))\n"
    )
    with get_context("fork").Pool(1) as pool:
        assert pool.apply(run_in_fork, (["run", "-q", "program.py"], tmp_path, 100)) == 0
    assert "tensor([6])" in (tmp_path / "said").read_text()


def test_a_program_that_does_not_end_is_stopped(tmp_path):
    (tmp_path / "program.py").write_text("import time\ntime.sleep(100)\n")
    assert run_in_fork(["run", "-q", "program.py"], tmp_path, 0.5) == TOO_LONG
