"""The small network that trainings are planted in, and its data."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor, nn

from stetho.store.reader import Run

Record = Callable[..., Run]


class Block(nn.Module):
    """Two layers with code of its own between them."""

    def __init__(self, width: int, scale: float = 1.0, activation: type[nn.Module] = nn.ReLU) -> None:
        super().__init__()
        self.scale = scale
        self.up = nn.Linear(width, 2 * width)
        self.act = activation()
        self.down = nn.Linear(2 * width, width)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.scale * self.down(self.act(self.up(x)))


class Net(nn.Module):
    """An embedding, a norm, a block with a residual, dropout and a head."""

    def __init__(self, **block: Any) -> None:
        super().__init__()
        self.embed = nn.Linear(6, 8)
        self.norm = nn.LayerNorm(8, eps=block.pop("eps", 1e-5))
        self.drop = nn.Dropout(block.pop("drop", 0.0))
        self.block = Block(8, **block)
        self.head = nn.Linear(8, 3)

    def forward(self, x: Tensor) -> Tensor:
        made: Tensor = self.head(self.block(self.drop(self.norm(self.embed(x)))))
        return made


def batches(steps: int) -> Iterator[tuple[Tensor, Tensor]]:
    drawn = torch.Generator().manual_seed(7)
    for _ in range(steps):
        yield torch.randn(16, 6, generator=drawn), torch.randint(0, 3, (16,), generator=drawn)


def cross_entropy(output: Tensor, target: Tensor) -> Tensor:
    return nn.functional.cross_entropy(output, target)
