"""Differences in recipes that many share: an activation used twice, groups of parameters, augmented samples."""

from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from stetho.comparing.kinds import compare
from tests.comparing.test_planted import Planted
from tests.comparing.trainings import Record, batches


class Residual(nn.Module):
    """Two convolutions whose one activation is called after each of them."""

    def __init__(self, *, eps: float = 1e-5, mode: str = "zeros", act: nn.Module | None = None) -> None:
        super().__init__()
        self.c1, self.n1 = nn.Conv1d(4, 4, 3, padding=1), nn.BatchNorm1d(4)
        self.c2, self.n2 = nn.Conv1d(4, 4, 3, padding=1, padding_mode=mode), nn.BatchNorm1d(4, eps=eps)
        self.act = act or nn.ReLU()

    def forward(self, x: Tensor) -> Tensor:
        made: Tensor = self.act(x + self.n2(self.c2(self.act(self.n1(self.c1(x))))))
        return made


class Net(nn.Module):
    """A stem, a block with a residual, a head that may have no bias or the weight of the stem's twin."""

    def __init__(self, *, bias: bool = True, **block: Any) -> None:
        super().__init__()
        self.stem, self.block = nn.Conv1d(1, 4, 3, padding=1, bias=bias), Residual(**block)
        self.head = nn.Linear(24, 3)

    def forward(self, x: Tensor) -> Tensor:
        made: Tensor = self.head(self.block(self.stem(x[:, None])).flatten(1))
        return made


class Words(nn.Module):
    """Gives back what it takes, through one weight that is used twice, or through two."""

    def __init__(self, tied: bool) -> None:
        super().__init__()
        self.enter, self.leave, self.head = nn.Linear(6, 8), nn.Linear(6, 8), nn.Linear(6, 3)
        if tied:
            self.leave.weight = self.enter.weight

    def forward(self, x: Tensor) -> Tensor:
        made: Tensor = self.head(self.enter(x).tanh() @ self.leave.weight + self.leave(x).mean())
        return made


def flipped_some(steps: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Every third sample is augmented."""
    for x, y in batches(steps):
        x[::3] = x[::3].flip(1)
        yield x, y


def in_groups(parameters: Any) -> torch.optim.Optimizer:
    """Matrices first, then vectors, as it is done for weight decay."""
    every = list(parameters)
    groups = [[p for p in every if p.dim() > 1], [p for p in every if p.dim() <= 1]]
    return torch.optim.AdamW([{"params": group} for group in groups], lr=0.01)


def clipped(model: nn.Module, _step: int) -> None:
    nn.utils.clip_grad_norm_(model.parameters(), 0.01)


def in_double(steps: int) -> Iterator[tuple[Tensor, Tensor]]:
    return ((x.double(), y) for x, y in batches(steps))


PLANTED = (
    # What is called twice is measured as one: the layer between its calls is named, not the first of them.
    Planted("norm between two calls", "forward", 1, "block.n2", {"model": lambda: Net(eps=1e-3)}, {"model": Net},
            reason="eps=1e-05 in the first, eps=0.001"),
    Planted("padding between two calls", "forward", 1, "block.c2", {"model": lambda: Net(mode="circular")},
            {"model": Net}, reason="padding_mode=circular"),
    Planted("what is called twice", "forward", 1, "block.act", {"model": lambda: Net(act=nn.ELU())}, {"model": Net},
            reason="ELU"),
    Planted("clipping with groups", "gradient", 1, "head.bias", {"gradients": clipped, "optimizer": in_groups},
            {"optimizer": in_groups}, reason="clipping at"),
    Planted("augmented samples", "data", 1, "embed", {"data": flipped_some},
            reason="6 of 16 samples of the batch have other values, the rest are the same at their places"),
    Planted("no bias", "weights", 1, "block.c1.weight", {"model": lambda: Net(bias=False)}, {"model": Net},
            reason="its weights take more or fewer random numbers"),
    Planted("tied", "forward", 1, "leave", {"model": lambda: Words(True)}, {"model": lambda: Words(False)},
            reason="`enter.weight` shared with: – in the first, leave.weight in the second"),
    Planted("doubled", "data", 1, "", {"data": in_double, "before": nn.Module.double},
            reason="the inputs are float32 and float64"),
)  # fmt: skip


@pytest.mark.parametrize("planted", PLANTED, ids=lambda planted: planted.name.replace(" ", "-"))
def test_what_was_planted_is_named(planted: Planted, record: Record) -> None:
    found = compare(record(**planted.first), record(**planted.first | planted.second))
    assert found.verdict.kind == planted.kind, str(found)
    assert found.first_difference is not None
    assert (found.first_difference.step, found.first_difference.name) == (planted.step, planted.place), str(found)
    assert any(planted.reason in reason for reason in found.reasons), found.reasons


def test_another_seed_is_told_where_the_layers_are_the_same(record: Record) -> None:
    found = compare(record(model=Net), record(model=Net, seed=1))
    assert "another seed" in "\n".join(found.reasons)
