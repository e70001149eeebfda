"""Programs as they are, whose loops are done in another way."""

from pathlib import Path

import pytest

import stetho
from stetho.capture.launch import Program
from stetho.errors import UsageError

PROGRAM = """
import sys
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

kind = sys.argv[1]
torch.manual_seed(3)
inputs, labels = torch.randn(72, 6), torch.randint(0, 3, (72,))
model = nn.Sequential(nn.Linear(6, 8), nn.LayerNorm(8), nn.Dropout(0.5), nn.Linear(8, 3))
if kind == "unused":
    model[0].register_parameter("spare", nn.Parameter(torch.ones(2)))
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 2, 0.5)
places = [list(range(at, at + size)) for at in range(0, 72, 18) for size in (8, 6, 4)]
data = TensorDataset(inputs, labels)
loader = DataLoader(data, batch_sampler=places) if kind == "own" else DataLoader(data, 18, shuffle=True)
if kind == "whole":
    loader = [(inputs, labels)] * 4
for number, (x, y) in enumerate(loader):
    loss = nn.functional.cross_entropy(model(x), y)
    if kind == "own":
        (loss / 3).backward()
        if number % 3 < 2:
            continue
    else:
        model.zero_grad()
        loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 0.1)
    optimizer.step()
    scheduler.step()
    optimizer.zero_grad()
"""


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.py").write_text(PROGRAM)
    return "train.py"


def test_a_program_is_cut_in_micro_batches(program: str) -> None:
    found = stetho.equivalent("accumulate", Program(program, ("plain",)))
    assert found.is_equal, found
    assert found.ways[1] == "micro-batches of 6, 6, 6 samples"
    assert found.steps == 3
    assert "dropout was turned off" in found.notes[0]


def test_unequal_micro_batches_of_a_program_that_accumulates_are_found(program: str) -> None:
    found = stetho.equivalent("accumulate", Program(program, ("own",)), steps=2)
    assert found.first_difference.stage == "grad"
    assert found.reasons[0].startswith("micro-batches have 8, 6, 4 samples and each loss is a mean")


def test_two_processes_of_a_program_share_its_batches(program: str) -> None:
    found = stetho.equivalent("ddp", Program(program, ("plain",)), steps=2)
    assert found.is_equal, found
    assert found.ways[1] == "2 processes with 9 and 9 samples each step"


def test_a_parameter_without_a_gradient_is_told(program: str) -> None:
    found = stetho.equivalent("ddp", Program(program, ("unused",)), steps=2)
    assert found.is_equal, found
    assert found.notes[1].startswith("`0.spare` gets no gradient in some steps: DistributedDataParallel has to be made")


def test_a_program_without_a_loader_is_told_why_it_cannot_be_cut(program: str) -> None:
    with pytest.raises(UsageError, match=r"from no DataLoader; write a set-up function .* train.py:setup"):
        stetho.equivalent("accumulate", Program(program, ("whole",)), steps=1)
