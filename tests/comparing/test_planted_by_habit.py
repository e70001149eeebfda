"""Differences that come of habits from other frameworks and of loops that are off by one."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from stetho.comparing.kinds import compare
from tests.comparing import other_trainings as o
from tests.comparing.test_planted import Planted
from tests.comparing.trainings import Net, Record, batches


class OwnAdam(torch.optim.Optimizer):
    """Adam in a few lines, with epsilon behind the root or below it."""

    def __init__(self, parameters: Any, lr: float = 0.01, below: bool = False) -> None:
        super().__init__(parameters, {"lr": lr, "betas": (0.9, 0.999), "eps": 1e-8})
        self.below = below

    @torch.no_grad()
    def step(self) -> None:  # type: ignore[override]
        for group in self.param_groups:
            for each in group["params"]:
                state = self.state[each]
                step = state["step"] = state.get("step", 0) + 1
                first = state.setdefault("exp_avg", torch.zeros_like(each)).lerp_(each.grad, 0.1)
                second = state.setdefault("exp_avg_sq", torch.zeros_like(each))
                second.mul_(0.999).addcmul_(each.grad, each.grad, value=0.001)
                spread = second / (1 - 0.999**step)
                root = (spread + 1e-4).sqrt() if self.below else spread.sqrt() + 1e-8
                each.sub_(first / (1 - 0.9**step) / root * group["lr"])


def swapped_later(steps: int) -> Iterator[tuple[Tensor, Tensor]]:
    given = list(batches(steps))
    return iter([*given[:-2], given[-1], given[-2]])


def one_again(steps: int) -> Iterator[tuple[Tensor, Tensor]]:
    """The last batch is the one before again: an iterator that was made anew."""
    given = list(batches(steps))
    return iter([*given[:-1], given[-2]])


def slow_layer(model: nn.Module, _step: int) -> None:
    model.block.down.weight.grad *= 0.1  # type: ignore[union-attr]


def stepped_first(early: bool) -> dict[str, Any]:
    """The schedule moves before the first update, as it did long ago."""

    def make(optimizer: torch.optim.Optimizer) -> Any:
        found = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.5)
        if early:
            optimizer._opt_called = True  # type: ignore[attr-defined]
            found.step()
        return found

    return o.scheduled(make)


def sgd(**settings: Any) -> Callable[[Any], torch.optim.Optimizer]:
    return lambda parameters: torch.optim.SGD(parameters, **{"lr": 0.1, "momentum": 0.9} | settings)


def rmsprop(**settings: Any) -> Callable[[Any], torch.optim.Optimizer]:
    return lambda parameters: torch.optim.RMSprop(parameters, lr=0.01, **settings)


def frozen_statistics(model: nn.Module) -> None:
    model.norm.eval()  # type: ignore[union-attr,operator]


class Halved(Net):
    """Takes and gives single precision, and computes in half of it."""

    def forward(self, x: Tensor) -> Tensor:
        return super().forward(x.bfloat16()).float()


PLANTED = (
    Planted("epsilon below the root", "update", 1, "embed.weight", {"optimizer": lambda p: OwnAdam(p, below=True)},
            {"optimizer": OwnAdam}),
    Planted("centred", "update", 1, "embed.weight", {"optimizer": rmsprop(centered=True)}, {"optimizer": rmsprop()},
            reason="centered"),
    Planted("dampening", "optimizer", 2, "embed.weight", {"optimizer": sgd(dampening=0.5)}, reason="dampening"),
    Planted("schedule before the update", "update", 1, "embed.weight", stepped_first(True), stepped_first(False),
            reason="lr: 0.1 in the first, 0.05"),
    Planted("later batches swapped", "data", 3, "embed", {"data": swapped_later, "steps": 4}, {"steps": 4},
            reason="another order"),
    Planted("a batch again", "data", 4, "embed", {"data": one_again, "steps": 4}, {"steps": 4}),
    Planted("gradient of one layer", "gradient", 1, "block.down.weight", {"gradients": slow_layer}, reason="0.1 times"),
    Planted("frozen statistics", "forward", 1, "norm", {"before": frozen_statistics, "model": o.Convolved},
            {"model": o.Convolved}, reason="training"),
    # All that is computed is equal as far as half precision goes; then small updates of large weights are lost.
    Planted("half precision", "update", 1, "norm.weight", {"model": Halved, "before": nn.Module.bfloat16},
            reason="weights are float32 in the first, bfloat16 in the second"),
    Planted("sign of a feature", "data", 1, "embed", {"data": lambda n: ((-x, y) for x, y in batches(n))},
            reason="multiplied by -1"),
)  # fmt: skip


@pytest.mark.parametrize("planted", PLANTED, ids=lambda planted: planted.name.replace(" ", "-"))
def test_what_was_planted_is_named(planted: Planted, record: Record) -> None:
    found = compare(record(**planted.first), record(**planted.first | planted.second))
    assert found.verdict.kind == planted.kind, str(found)
    assert found.first_difference is not None
    assert (found.first_difference.step, found.first_difference.name) == (planted.step, planted.place), str(found)
    assert any(planted.reason in reason for reason in [*found.reasons, ""]), found.reasons


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"optimizer": lambda p: torch.optim.Adam(p, lr=0.01)}, {"optimizer": OwnAdam}),
        ({"model": lambda: Net(drop=0.0)}, {"model": lambda: Net(drop=0.5), "before": lambda m: m.drop.eval()}),
        ({}, {"loss": lambda x, y: (x.logsumexp(-1) - x.gather(1, y[:, None])[:, 0]).mean()}),
    ],
    ids=["Adam by hand", "dropout that is off", "the loss by hand"],
)
def test_the_same_written_otherwise_is_equal(one: dict[str, Any], other: dict[str, Any], record: Record) -> None:
    found = compare(record(**one), record(**other))
    assert found.is_equal, str(found)
