"""One program in two ways, in processes of its own."""

from pathlib import Path

import pytest

from stetho.capture.launch import Program
from stetho.comparing.ways import TWICE, ProgramFailed, compare_ways

NOISY = """
import time, torch
from torch import nn

class Noisy(nn.Module):
    def forward(self, x):
        drawn = torch.Generator().manual_seed(time.time_ns() % 2**31)
        return x + torch.randn(x.shape, generator=drawn)

model = nn.Sequential(nn.Linear(4, 4), Noisy(), nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(2):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
"""


def test_the_operation_that_is_not_deterministic_is_named(tmp_path: Path) -> None:
    program = tmp_path / "noisy.py"
    program.write_text(NOISY)
    found = compare_ways(Program(str(program)), TWICE, steps=1)
    assert found.first_difference is not None
    assert (found.first_difference.name, found.first_difference.step) == ("1", 1)
    assert found.operations[0]["operation"] == "randn"
    assert found.operations[0]["lines"][0].endswith("noisy.py:8")
    assert found.first_difference.tensors is not None


def test_a_program_that_fails_is_quoted(tmp_path: Path) -> None:
    program = tmp_path / "broken.py"
    program.write_text("raise RuntimeError('no data')")
    with pytest.raises(ProgramFailed, match="came to no step; its last words: RuntimeError: no data"):
        compare_ways(Program(str(program)), "bf16")


FAILING = """
import os, signal, torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
seen = []
model[0].register_forward_hook(lambda module, given, output: seen.append(output.dtype))
for _ in range(3):
    optimizer.zero_grad()
    loss = model(torch.randn(8, 4)).square().mean()
    if len(seen) == 2 and seen[-1] == torch.float64:
        HERE
    loss.backward()
    optimizer.step()
"""


def test_a_process_that_dies_of_an_illegal_instruction_is_told_with_the_next_move(tmp_path: Path) -> None:
    program = tmp_path / "dies.py"
    program.write_text(FAILING.replace("HERE", "os.kill(os.getpid(), signal.SIGILL)"))
    with pytest.raises(
        ProgramFailed, match=r"of an illegal instruction \(SIGILL\) at \S*dies.py:13: .*ONEDNN_MAX_CPU_ISA"
    ):
        compare_ways(Program(str(program)), "float64")


def test_a_program_that_fails_in_one_way_after_some_steps_is_noted(tmp_path: Path) -> None:
    program = tmp_path / "fails.py"
    program.write_text(FAILING.replace("HERE", "raise ValueError('no double')"))
    found = compare_ways(Program(str(program)), "float64")
    assert found.notes == ["the second failed after step 1, and is compared up to there: ValueError: no double"]
