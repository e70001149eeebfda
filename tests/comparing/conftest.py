"""Small trainings, recorded in this process: what is planted in them is all that differs."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import stetho
from stetho.store.reader import Run, open_run
from tests.comparing.trainings import Net, Record, batches, cross_entropy


@pytest.fixture
def record(tmp_path: Path) -> Record:
    """Train a small network and give its recorded run; every argument is something that may be planted."""

    def train(
        *,
        seed: int = 0,
        model: Callable[[], nn.Module] = Net,
        before: Callable[[nn.Module], None] = lambda _: None,
        optimizer: Callable[[Any], torch.optim.Optimizer] = lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9),
        data: Callable[[int], Any] = batches,
        loss: Callable[[Tensor, Tensor], Tensor] = cross_entropy,
        gradients: Callable[[nn.Module, int], None] = lambda *_: None,
        after: Callable[[nn.Module, torch.optim.Optimizer, int], None] = lambda *_: None,
        steps: int = 3,
        zero_at: Callable[[int], bool] = lambda _: True,
        drawing: int = 11,
        measured: str = "all",
        **options: Any,
    ) -> Run:
        torch.manual_seed(seed)
        network = model()
        before(network)
        updating = optimizer(network.parameters())
        torch.manual_seed(drawing)
        out = tmp_path / f"run-{len(list(tmp_path.iterdir()))}"
        with stetho.watch(
            network, updating, out=str(out), quiet=True, every=1, gradients=measured, **options
        ) as watching:
            for step, (x, y) in enumerate(data(steps), start=1):
                value = loss(network(x), y)
                if zero_at(step):
                    updating.zero_grad()
                value.backward()  # type: ignore[no-untyped-call]
                gradients(network, step)
                updating.step()
                after(network, updating, step)
        return open_run(watching.path)

    return train
