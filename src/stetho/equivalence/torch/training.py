"""A training from the user's set-up function: what it must bring, what it may, and one step of it."""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import Module
from torch.nn.modules.dropout import _DropoutNd
from torch.optim import Optimizer

from stetho.errors import UsageError

RULE = (
    "a set-up function gives an object or dict with `model`, `optimizer`, `batches` and `loss(model, batch)`,"
    " and may have `scheduler`, `scaler`, `save(file)` and `load(file)`"
)
SEED = 0


@dataclass
class Training:
    """A model with all that trains it. `given` is what the set-up function returned."""

    given: Any
    model: Module
    optimizer: Optimizer
    loss: Callable[[Any, Any], Tensor]

    def part(self, name: str) -> Any:
        """Something that the set-up function may have brought; None if it did not."""
        return _part(self.given, name)

    def batches(self) -> Iterator[Any]:
        """The batches, begun anew when they are over; asked for now, so that `load` may have moved them."""
        while True:
            given = self.part("batches")
            count = 0
            for batch in given() if callable(given) else given:
                count += 1
                yield batch
            if not count:
                raise UsageError("`batches` of the set-up has none; give at least one")

    def backward(self, loss: Tensor) -> None:
        """The backward pass, scaled if the set-up has a scaler."""
        scaler = self.part("scaler")
        (loss if scaler is None else scaler.scale(loss)).backward()

    def update(self) -> None:
        """What follows the backward pass: the optimizer, the scaler, the scheduler."""
        scaler, scheduler = self.part("scaler"), self.part("scheduler")
        if scaler is None:
            self.optimizer.step()
        else:
            scaler.step(self.optimizer)
            scaler.update()
        if scheduler is not None:
            scheduler.step()


def build(setup: Callable[[], Any], *, seed: int = SEED) -> Training:
    """A fresh training, from fixed seeds."""
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    given = setup()
    parts = {name: _part(given, name) for name in ("model", "optimizer", "batches", "loss")}
    missing = [name for name, value in parts.items() if value is None]
    if missing:
        raise UsageError(f"the set-up has no {', '.join(f'`{name}`' for name in missing)}; {RULE}")
    if not isinstance(parts["model"], Module) or not isinstance(parts["optimizer"], Optimizer):
        kinds = type(parts["model"]).__name__, type(parts["optimizer"]).__name__
        raise UsageError(f"`model` is a {kinds[0]} and `optimizer` a {kinds[1]}; give a Module and an Optimizer")
    return Training(given, parts["model"], parts["optimizer"], parts["loss"])


def without_dropout(training: Training) -> bool:
    """Turn off what draws other random numbers for other batches; whether there was any."""
    drops = [layer for layer in training.model.modules() if isinstance(layer, _DropoutNd) and layer.p > 0]
    for layer in drops:
        layer.p = 0.0
    return bool(drops)


def _part(given: Any, name: str) -> Any:
    return given.get(name) if isinstance(given, Mapping) else getattr(given, name, None)
