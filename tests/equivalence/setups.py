"""Small trainings to be done in several ways, whole and with something forgotten."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor, nn


class Setup:
    """A training with all that a checkpoint has to hold; `forgets` names what its `load` leaves out."""

    def __init__(
        self, *, norm: Any = nn.LayerNorm, drop: float = 0.0, size: int = 18, forgets: str = "", reduction: str = "mean"
    ) -> None:
        self.model = nn.Sequential(nn.Linear(6, 8), norm(8), nn.ReLU(), nn.Dropout(drop), nn.Linear(8, 3))
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=0.01)
        self.scheduler = torch.optim.lr_scheduler.StepLR(self.optimizer, 2, 0.5)
        self.forgets, self.reduction = forgets, reduction
        self.start = self.done = 0
        drawn = torch.Generator().manual_seed(5)
        self.data = [
            (torch.randn(size, 6, generator=drawn), torch.randint(0, 3, (size,), generator=drawn)) for _ in range(8)
        ]

    def batches(self) -> Iterator[tuple[Tensor, Tensor]]:
        for number in range(self.start, len(self.data)):
            self.done = number + 1
            yield self.data[number]

    def loss(self, model: nn.Module, batch: tuple[Tensor, Tensor]) -> Tensor:
        return nn.functional.cross_entropy(model(batch[0]), batch[1], reduction=self.reduction)

    def save(self, file: str) -> None:
        parts = {"model": self.model, "optimizer": self.optimizer, "scheduler": self.scheduler}
        state: dict[str, Any] = {name: part.state_dict() for name, part in parts.items()}
        torch.save(state | {"data": self.done, "random": torch.get_rng_state()}, file)

    def load(self, file: str) -> None:
        state = torch.load(file)
        for name in ("model", "optimizer", "scheduler"):
            if name not in self.forgets:
                getattr(self, name).load_state_dict(state[name])
        if "data" not in self.forgets:
            self.start = state["data"]
        if "random" not in self.forgets:
            torch.set_rng_state(state["random"])


def uneven() -> Setup:
    """Batches that two processes cannot share evenly."""
    return Setup(size=15)
