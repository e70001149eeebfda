"""Pairs of trainings that compute the same: nothing may be called different, however they were written or recorded."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from stetho.comparing.kinds import compare
from tests.comparing.trainings import Net, Record, batches, cross_entropy


class Renamed(nn.Module):
    """The same network under other names."""

    def __init__(self) -> None:
        super().__init__()
        made = Net()
        self.first, self.ln, self.dropout = made.embed, made.norm, made.drop
        self.middle, self.last = made.block, made.head

    def forward(self, x: Tensor) -> Tensor:
        return self.last(self.middle(self.dropout(self.ln(self.first(x)))))  # type: ignore[no-any-return]


class Wrapped(nn.Module):
    """The same network inside of another one."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = Net()

    def forward(self, x: Tensor) -> Tensor:
        return self.inner(x)  # type: ignore[no-any-return]


def by_hand(output: Tensor, target: Tensor) -> Tensor:
    return nn.functional.nll_loss(nn.functional.log_softmax(output, -1), target)


def listed(steps: int) -> Iterator[tuple[Tensor, Tensor]]:
    x, y = zip(*batches(steps), strict=True)
    data = torch.utils.data.TensorDataset(torch.cat(x), torch.cat(y))
    return iter(torch.utils.data.DataLoader(data, batch_size=16))  # type: ignore[return-value]


def with_evaluation(model: nn.Module, _optimizer: object, _step: int) -> None:
    model.eval()
    with torch.no_grad():
        model(torch.zeros(4, 6))
    model.train()


def adam(foreach: bool) -> Callable[[Any], torch.optim.Optimizer]:
    return lambda parameters: torch.optim.Adam(parameters, lr=0.01, foreach=foreach)


def broken(output: Tensor, target: Tensor) -> Tensor:
    return cross_entropy(output, target) * float("nan")


EQUAL: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "the same twice": ({}, {}),
    "other names of layers": ({}, {"model": Renamed}),
    "wrapped in another module": ({}, {"model": Wrapped}),
    "the loss in two calls": ({}, {"loss": by_hand}),
    "batches from a loader": ({}, {"data": listed}),
    "an evaluation in between": ({}, {"after": with_evaluation}),
    "one run is longer": ({}, {"steps": 5}),
    "dropout with one seed": ({"model": lambda: Net(drop=0.5)}, {"model": lambda: Net(drop=0.5)}),
    "an unused seed": ({}, {"drawing": 12}),
    "other layers left out": ({}, {"layers": "head*"}),
    "gradients of parameters alone": ({}, {"measured": "parameters"}),
    "double precision": ({"before": nn.Module.double, "data": lambda n: ((x.double(), y) for x, y in batches(n))},) * 2,
    "half precision": ({"before": nn.Module.bfloat16, "data": lambda n: ((x.bfloat16(), y) for x, y in batches(n))},)
    * 2,
    "the same NaN": ({"loss": broken}, {"loss": broken}),
    "a clipping that never bites": ({}, {"gradients": lambda m, _: nn.utils.clip_grad_norm_(m.parameters(), 1e9)}),
}  # fmt: skip

ROUNDED: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "the update in one call or in many": ({"optimizer": adam(True)}, {"optimizer": adam(False)}),
    "a sum in another order": ({}, {"loss": lambda o, t: nn.functional.cross_entropy(o.flip(0), t.flip(0))}),
}


@pytest.mark.parametrize("name", EQUAL)
def test_equal_trainings_are_called_equal(name: str, record: Record) -> None:
    one, other = EQUAL[name]
    found = compare(record(**one), record(**other))
    assert found.verdict.kind == "equal", str(found)
    assert found.is_equal
    assert found.first_difference is None


@pytest.mark.parametrize("name", ROUNDED)
def test_trainings_that_differ_by_rounding_are_equal_as_far_as_that_goes(name: str, record: Record) -> None:
    one, other = ROUNDED[name]
    found = compare(record(**one), record(**other))
    assert found.is_equal, str(found)
    assert found.curve.first_off is None
