"""More networks, data and optimizers that differences are planted in."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from tests.comparing.trainings import batches

Batches = Iterator[tuple[Tensor, Tensor]]
Optimizers = Callable[[Any], torch.optim.Optimizer]


class Normed(nn.Module):
    """A norm before or after a part, and numbers of other types on the way."""

    def __init__(self, *, post: bool = False, half: bool = False, autocast: bool = False, drop: float = 0.0) -> None:
        super().__init__()
        self.embed, self.norm, self.up, self.down = nn.Linear(6, 8), nn.LayerNorm(8), nn.Linear(8, 16), nn.Linear(16, 8)
        self.drop, self.head = nn.Dropout(drop), nn.Linear(8, 3)
        self.post, self.half_, self.autocast = post, half, autocast

    def inner(self, x: Tensor) -> Tensor:
        y = self.up(x)
        y = y.half().float() if self.half_ else y
        made: Tensor = self.drop(self.down(F.relu(y)))
        return made

    def forward(self, x: Tensor) -> Tensor:
        with torch.autocast("cpu", torch.bfloat16, enabled=self.autocast):
            x = self.embed(x)
            x = self.norm(x + self.inner(x)) if self.post else x + self.inner(self.norm(x))
            made: Tensor = self.head(x)
        return made.float()


class Convolved(nn.Module):
    """A convolution with batch norm."""

    def __init__(self, momentum: float = 0.1, mode: str = "zeros", eps: float = 1e-5) -> None:
        super().__init__()
        self.conv = nn.Conv1d(1, 4, 3, padding=1, padding_mode=mode)
        self.norm, self.head = nn.BatchNorm1d(4, momentum=momentum, eps=eps), nn.Linear(24, 3)

    def forward(self, x: Tensor) -> Tensor:
        made: Tensor = self.head(self.norm(self.conv(x[:, None])).relu().flatten(1))
        return made


class Tied(nn.Module):
    """Two layers that begin with the same weight, and may share it."""

    def __init__(self, tied: bool = True) -> None:
        super().__init__()
        self.embed, self.back, self.head, self.again = (
            nn.Linear(6, 8), nn.Linear(8, 6), nn.Linear(6, 3), nn.Linear(6, 8),
        )  # fmt: skip
        self.again.load_state_dict(self.embed.state_dict())
        if tied:
            self.again.weight = self.embed.weight

    def forward(self, x: Tensor) -> Tensor:
        made: Tensor = self.head(self.back(self.again(self.back(self.embed(x)).tanh())))
        return made


def evaluated(model: nn.Module, _optimizer: object, _step: int) -> None:
    model.eval()
    with torch.no_grad():
        model(torch.ones(4, 6))
    model.train()


def left_in_evaluation(model: nn.Module, optimizer: object, step: int) -> None:
    """After two steps, `train` is forgotten."""
    evaluated(model, optimizer, step)
    model.train(step < 2)


class Looked(nn.Module):
    """Numbers as words, the first of which is padding, or one like others."""

    def __init__(self, padding: int | None = 0) -> None:
        super().__init__()
        self.embed, self.head = nn.Embedding(8, 8, padding_idx=padding), nn.Linear(8, 3)
        with torch.no_grad():
            self.embed.weight[0] = 0

    def forward(self, x: Tensor) -> Tensor:
        made: Tensor = self.head(self.embed((2 * x).abs().long().clamp(max=7)).mean(1))
        return made


def positives(weight: Tensor | None) -> Callable[[Tensor, Tensor], Tensor]:
    return lambda x, y: F.binary_cross_entropy_with_logits(x, F.one_hot(y, 3).float(), pos_weight=weight)


def huber(delta: float) -> Callable[[Tensor, Tensor], Tensor]:
    return lambda x, y: F.huber_loss(x, F.one_hot(y, 3).float(), delta=delta)


def bias_decay(decay: float) -> Optimizers:
    def make(parameters: Any) -> torch.optim.Optimizer:
        every = list(parameters)
        groups = [
            {"params": [each for each in every if each.dim() > 1], "weight_decay": 0.1},
            {"params": [each for each in every if each.dim() < 2], "weight_decay": decay},
        ]
        return torch.optim.SGD(groups, lr=0.1, momentum=0.9)

    return make


def head_rate(rate: float) -> Optimizers:
    def make(parameters: Any) -> torch.optim.Optimizer:
        every = list(parameters)
        return torch.optim.SGD([{"params": every[:-2]}, {"params": every[-2:], "lr": rate}], lr=0.1, momentum=0.9)

    return make


def scheduled(schedule: Callable[[torch.optim.Optimizer], Any]) -> dict[str, Any]:
    """A training of four steps whose learning rate follows a schedule."""
    made: list[Any] = []

    def optimizer(parameters: Any) -> torch.optim.Optimizer:
        found = torch.optim.SGD(parameters, lr=0.1, momentum=0.9)
        made.append(schedule(found))
        return found

    return {"optimizer": optimizer, "after": lambda *_: made[-1].step(), "steps": 4}


def warm_up(late: int) -> dict[str, Any]:
    return scheduled(lambda o: torch.optim.lr_scheduler.LambdaLR(o, lambda step: (step + 1 + late) / 10))


def stepped(every: int) -> dict[str, Any]:
    return scheduled(lambda o: torch.optim.lr_scheduler.StepLR(o, every))


def turned_rows(steps: int) -> Batches:
    return ((x.flip(0), y.flip(0)) for x, y in batches(steps))


def shuffled(seed: int) -> Callable[[int], Batches]:
    def load(steps: int) -> Batches:
        x, y = zip(*batches(steps), strict=True)
        data = torch.utils.data.TensorDataset(torch.cat(x), torch.cat(y))
        drawn = torch.Generator().manual_seed(seed)
        return iter(torch.utils.data.DataLoader(data, batch_size=16, shuffle=True, generator=drawn))  # type: ignore[return-value]

    return load


def standardised(steps: int) -> Batches:
    return (((x - 0.5) / 2, y) for x, y in batches(steps))


def not_averaged(model: nn.Module, _step: int) -> None:
    for parameter in model.parameters():
        if parameter.grad is not None:
            parameter.grad *= 4


def clipped_values(model: nn.Module, _step: int) -> None:
    nn.utils.clip_grad_value_(model.parameters(), 0.001)
