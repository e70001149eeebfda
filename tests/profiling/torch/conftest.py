"""Small models, and a profiler that is taken off again."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from torch import nn

from stetho.capture.guard import Guard
from stetho.profiling.torch.profiler import TorchProfiler


def raise_on(point: str, text: str) -> None:
    raise AssertionError(f"{point}: {text}")


@pytest.fixture
def guard() -> Guard:
    return Guard(raise_on)


@pytest.fixture
def make_profiler() -> Iterator[Callable[..., TorchProfiler]]:
    made: list[TorchProfiler] = []

    def make(**settings: Any) -> TorchProfiler:
        chosen = {"steps": 3, "warmup": 2, "trial_seconds": 0.0, "on_trip": raise_on} | settings
        profiler = TorchProfiler(**chosen)
        profiler.install()
        made.append(profiler)
        return profiler

    yield make
    for profiler in made:
        profiler.remove()


class Net(nn.Module):
    """A linear layer, an activation that is a function, and another linear layer."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(8, 16)
        self.second = nn.Linear(16, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.second(torch.relu(self.first(x)))  # type: ignore[no-any-return]
