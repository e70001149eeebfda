"""Gradients that the backward pass for another optimizer's step left behind, and that a step used with its own."""

import sys
import weakref
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.optim import Optimizer

from stetho.capture.source import line_of, user_frame

MOST_ELEMENTS = 1 << 16
MOST_STEPS = 200


@dataclass(frozen=True, slots=True)
class Mixture:
    """Gradients of two losses in one: how they lie, where either was made, and whether the own loss reaches others."""

    cosine: float
    left_at: str
    used_at: str
    through_others: bool


class Leftovers:
    """Looks at one gradient of each optimizer before and after every backward pass."""

    def __init__(self) -> None:
        self._watched: dict[int, weakref.ref[Tensor] | None] = {}
        self._before: dict[int, Tensor | None] = {}
        self._looked_at: set[int] = set()
        self._filled_at: dict[int, str] = {}
        self._others_stepped: set[int] = set()
        self._mixed: dict[int, Mixture] = {}
        self._found: dict[int, list[Mixture]] = {}
        self._steps: dict[int, int] = {}

    def backward_begins(self, optimizers: Sequence[Optimizer]) -> None:
        """Remember what is there."""
        self._before = {}
        if len(optimizers) < 2 or max(self._steps.values(), default=0) >= MOST_STEPS:
            return
        for each in optimizers:
            parameter = self._parameter(each, optimizers)
            if parameter is not None:
                self._before[id(each)] = _copy_of_gradient(parameter)
                self._looked_at.add(id(each))

    def backward_ends(self) -> None:
        """See what came to it."""
        if not self._before:
            return
        line = str(line_of(user_frame(sys._getframe(1))))
        came = {key: added for key, before in self._before.items() if (added := self._added(key, before)) is not None}
        for optimizer, own in came.items():
            before = self._before[optimizer]
            if before is None:
                self._filled_at[optimizer] = line
                self._others_stepped.discard(optimizer)
            elif optimizer in self._others_stepped and self._filled_at.get(optimizer, line) != line:
                self._mixed[optimizer] = Mixture(_cosine(before, own), self._filled_at[optimizer], line, len(came) > 1)
        self._before = {}

    def _added(self, optimizer: int, before: Tensor | None) -> Tensor | None:
        """What a backward pass added to a gradient, where it did."""
        reference = self._watched.get(optimizer)
        parameter = reference() if reference is not None else None
        after = _copy_of_gradient(parameter) if parameter is not None else None
        added = after - before if after is not None and before is not None else after
        return added if added is not None and bool(added.any()) else None

    def step_done(self, optimizer: Optimizer, number: int) -> None:
        """The gradients of an optimizer have been used."""
        key = id(optimizer)
        if key in self._looked_at:
            self._looked_at.discard(key)
            self._steps[number] = self._steps.get(number, 0) + 1
        if key in self._mixed:
            self._found.setdefault(number, []).append(self._mixed.pop(key))
        self._others_stepped |= {other for other in self._watched if other != key}
        self._others_stepped.discard(key)
        self._filled_at.pop(key, None)

    def forget(self, optimizer: int) -> None:
        """The optimizer of that id is gone, and a new one has taken its place."""
        for kept in (self._watched, self._before, self._filled_at, self._mixed):
            kept.pop(optimizer, None)
        self._looked_at.discard(optimizer)
        self._others_stepped.discard(optimizer)

    def clear(self) -> None:
        """Forget what is alive."""
        self._watched.clear()
        self._before.clear()

    def result(self) -> dict[str, object] | None:
        """Of the optimizer with the most such steps: which, how often, how both gradients lie, and both lines."""
        if not self._found:
            return None
        number = max(self._found, key=lambda each: len(self._found[each]))
        found = self._found[number]
        facts: dict[str, object] = {"optimizer": number, "steps": self._steps[number]}
        facts |= {"cosines": [each.cosine for each in found], "through_others": found[-1].through_others}
        return facts | {"left_at": found[-1].left_at, "used_at": found[-1].used_at}

    def _parameter(self, optimizer: Optimizer, all_of_them: Sequence[Optimizer]) -> Tensor | None:
        if id(optimizer) not in self._watched:
            others = {id(p) for each in all_of_them if each is not optimizer for p in _parameters(each)}
            own = [p for p in _parameters(optimizer) if id(p) not in others and p.numel() <= MOST_ELEMENTS]
            largest = max(own, key=Tensor.numel, default=None)
            self._watched[id(optimizer)] = weakref.ref(largest) if largest is not None else None
        reference = self._watched[id(optimizer)]
        return reference() if reference is not None else None


def _parameters(optimizer: Optimizer) -> list[Tensor]:
    return [p for group in optimizer.param_groups for p in group["params"] if p.requires_grad]


def _copy_of_gradient(parameter: Tensor) -> Tensor | None:
    """The gradient, where there is one that is not zero."""
    gradient = parameter.grad
    if gradient is None or gradient.layout is not torch.strided or not bool(gradient.any()):
        return None
    return gradient.detach().float().flatten().clone()


def _cosine(one: Tensor, other: Tensor) -> float:
    return float((one @ other) / (one.norm() * other.norm()).clamp_min(1e-30))
