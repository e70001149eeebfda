"""Differences that were planted in one of two trainings: the kind, the step and the place have to be named right."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from stetho.comparing.kinds import compare
from tests.comparing.trainings import Net, Record, batches

CLASSES = 3


def scaled(steps: int) -> Iterator[tuple[Tensor, Tensor]]:
    return ((2 * x, y) for x, y in batches(steps))


def from_step_two(steps: int) -> Iterator[tuple[Tensor, Tensor]]:
    return ((x + (step > 0), y) for step, (x, y) in enumerate(batches(steps)))


def reordered(steps: int) -> Iterator[tuple[Tensor, Tensor]]:
    return reversed(list(batches(steps)))  # type: ignore[return-value]


def other_labels(steps: int) -> Iterator[tuple[Tensor, Tensor]]:
    return ((x, (y + 1) % CLASSES) for x, y in batches(steps))


def smaller(steps: int) -> Iterator[tuple[Tensor, Tensor]]:
    return ((x[:8], y[:8]) for x, y in batches(steps))


def halved_gradient(model: nn.Module, _step: int) -> None:
    for parameter in model.parameters():
        parameter.grad = parameter.grad / 2 if parameter.grad is not None else None


def clipped(model: nn.Module, _step: int) -> None:
    nn.utils.clip_grad_norm_(model.parameters(), 0.01)


def clamped_at_two(model: nn.Module, _optimizer: object, step: int) -> None:
    if step == 2:
        with torch.no_grad():
            model.head.weight.clamp_(-0.01, 0.01)  # type: ignore[union-attr,operator]


def lower_rate_at_two(_model: object, optimizer: torch.optim.Optimizer, step: int) -> None:
    if step == 2:
        optimizer.param_groups[0]["lr"] = 0.01


def sgd(**settings: Any) -> Callable[[Any], torch.optim.Optimizer]:
    return lambda parameters: torch.optim.SGD(parameters, **{"lr": 0.1, "momentum": 0.9} | settings)


def adam(**settings: Any) -> Callable[[Any], torch.optim.Optimizer]:
    return lambda parameters: torch.optim.Adam(parameters, **{"lr": 0.01} | settings)


def without_head(parameters: Any) -> torch.optim.Optimizer:
    return torch.optim.SGD(list(parameters)[:-2], lr=0.1, momentum=0.9)


def frozen_embedding(model: nn.Module) -> None:
    model.embed.requires_grad_(False)  # type: ignore[union-attr,operator]


def wide_head(model: nn.Module) -> None:
    nn.init.normal_(model.head.weight, std=2.0)  # type: ignore[arg-type,union-attr]


class Detached(Net):
    def forward(self, x: Tensor) -> Tensor:
        hidden = self.norm(self.embed(x))
        return self.head(hidden.detach() * 0 + hidden + self.block(self.drop(hidden)).detach())  # type: ignore[no-any-return]


class HandWritten(Net):
    def forward(self, x: Tensor) -> Tensor:
        hidden = self.norm(self.embed(x))
        return self.head(hidden + self.block(self.drop(hidden)))  # type: ignore[no-any-return]


class Rescaled(nn.Linear):
    def forward(self, x: Tensor) -> Tensor:
        return super().forward(x) * 1.01


def rescaled_up() -> Net:
    model = Net()
    made = Rescaled(8, 16)
    made.load_state_dict(model.block.up.state_dict())
    model.block.up = made
    return model


def straight_through(output: Tensor, target: Tensor) -> Tensor:
    """The same loss with half of the gradient."""
    value = nn.functional.cross_entropy(output, target)
    return value / 2 + value.detach() / 2


@dataclass(frozen=True)
class Planted:
    """What the second run has, and what has to be said of it."""

    name: str
    kind: str
    step: int
    place: str
    second: dict[str, Any]
    first: dict[str, Any] = field(default_factory=dict)
    reason: str = ""


PLANTED = (
    Planted("norm eps", "forward", 1, "norm", {"model": lambda: Net(eps=1e-2)}, reason="eps=0.01"),
    Planted("tiny norm eps", "forward", 1, "norm", {"model": lambda: Net(eps=1.1e-5)}, reason="eps=1.1e-05"),
    Planted("activation", "forward", 1, "block.act", {"model": lambda: Net(activation=nn.GELU)}, reason="GELU"),
    Planted("residual scale", "forward", 1, "block", {"model": lambda: Net(scale=0.5)}, reason="forward"),
    Planted("layer's own code", "forward", 1, "block.up", {"model": rescaled_up}, reason="Rescaled"),
    Planted("code before a layer", "forward", 1, "head", {"model": HandWritten}, reason="through Mul, Add, Add"),
    Planted("dropout off", "forward", 1, "drop", {"before": lambda m: m.drop.eval()}, {"model": lambda: Net(drop=0.5)},
            reason="training"),
    Planted("dropout chance", "forward", 1, "drop", {"model": lambda: Net(drop=0.2)}, {"model": lambda: Net(drop=0.5)},
            reason="p=0.2"),
    Planted("dropout seed", "randomness", 1, "drop", {"model": lambda: Net(drop=0.5), "drawing": 12},
            {"model": lambda: Net(drop=0.5)}, reason="random generator"),
    Planted("seed", "weights", 1, "embed.weight", {"seed": 1}, reason="another seed"),
    Planted("initialisation", "weights", 1, "head.weight", {"before": wide_head}, reason="another initialisation"),
    Planted("scaled inputs", "data", 1, "embed", {"data": scaled}, reason="multiplied by 2"),
    Planted("other inputs later", "data", 2, "embed", {"data": from_step_two}, reason="shifted by 1"),
    Planted("order of batches", "data", 1, "embed", {"data": reordered}, reason="another order"),
    Planted("labels", "data", 1, "", {"data": other_labels}, reason="labels"),
    Planted("batch size", "data", 1, "embed", {"data": smaller}, reason="shapes"),
    Planted("label smoothing", "loss", 1, "",
            {"loss": lambda o, t: nn.functional.cross_entropy(o, t, label_smoothing=0.1)}, reason="label_smoothing"),
    Planted("reduction", "loss", 1, "", {"loss": lambda o, t: nn.functional.cross_entropy(o, t, reduction="sum")},
            reason="reduction"),
    Planted("scaled loss", "loss", 1, "", {"loss": lambda o, t: nn.functional.cross_entropy(o, t) * 0.5}),
    Planted("gradient of the loss", "gradient", 1, "head", {"loss": straight_through}, reason="0.5 times"),
    Planted("cut graph", "gradient", 1, "block", {"model": Detached}, {"model": HandWritten}),
    Planted("gradients halved", "gradient", 1, "head.bias", {"gradients": halved_gradient}, reason="0.5 times"),
    Planted("clipping", "gradient", 1, "head.bias", {"gradients": clipped}, reason="clipping at"),
    Planted("not cleared", "gradient", 2, "head.bias", {"zero_at": lambda step: step < 2}, reason="still there"),
    Planted("learning rate", "update", 1, "embed.weight", {"optimizer": sgd(lr=0.2)}, reason="lr"),
    Planted("learning rate later", "update", 3, "embed.weight", {"after": lower_rate_at_two}, reason="from step 3 on"),
    Planted("sign of the update", "update", 1, "embed.weight", {"optimizer": sgd(maximize=True, momentum=0.0)},
            {"optimizer": sgd(momentum=0.0)}, reason="negated"),
    Planted("weight decay", "optimizer", 1, "embed.weight", {"optimizer": sgd(weight_decay=0.1)},
            reason="weight_decay"),
    Planted("beta", "optimizer", 1, "embed.weight", {"optimizer": adam(betas=(0.5, 0.999))}, {"optimizer": adam()},
            reason="betas"),
    Planted("kind of optimizer", "optimizer", 1, "embed.weight", {"optimizer": adam(lr=0.1)}, reason="Adam"),
    Planted("epsilon of Adam", "update", 1, "embed.weight", {"optimizer": adam(eps=1e-3)}, {"optimizer": adam()},
            reason="eps"),
    Planted("changed outside", "outside", 3, "head.weight", {"after": clamped_at_two}, reason="something else writes"),
    Planted("forgotten parameters", "update", 1, "head.weight", {"optimizer": without_head},
            reason="in the optimizer"),
    Planted("frozen parameters", "gradient", 1, "embed", {"before": frozen_embedding}, reason="trainable"),
)  # fmt: skip


@pytest.mark.parametrize("planted", PLANTED, ids=lambda planted: planted.name.replace(" ", "-"))
def test_what_was_planted_is_named(planted: Planted, record: Record) -> None:
    found = compare(record(**planted.first), record(**planted.first | planted.second))
    assert found.verdict.kind == planted.kind, str(found)
    assert found.first_difference is not None
    assert (found.first_difference.step, found.first_difference.name) == (planted.step, planted.place), str(found)
    assert any(planted.reason in reason for reason in [*found.reasons, ""]), found.reasons
    assert found.to_json()["first_difference"]["name"] == planted.place
