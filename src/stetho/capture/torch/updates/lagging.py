"""Copies of a trained model that are evaluated, as averages of its weights: how far they have come along its way."""

import weakref
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import Module
from torch.optim import Optimizer

from stetho.capture.torch.models.as_made import is_as_made
from stetho.capture.torch.models.models import Models, unwrapped
from stetho.capture.torch.updates.statistics import statistics_of

MOST_PARAMETERS = 12
ELEMENTS = 256
MOST_LOOKS = 200
LEAST_NAMES = 2
SHOWING = 2
"""So many of the largest matrices of a model tell whether it was trained before."""


@dataclass(frozen=True, slots=True, eq=False)
class Start:
    """A parameter that is trained, and some of its elements before the first step."""

    parameter: weakref.ref[Tensor]
    shape: torch.Size
    values: Tensor


class Lagging:
    """Where trained models began, and where their copies were when they were evaluated last."""

    def __init__(self, models: Models) -> None:
        self._models = models
        self._starts: dict[int, dict[str, Start]] = {}
        self._fresh: dict[int, bool] = {}
        self.optimizers: set[int] = set()
        """Those whose first step has come."""
        self._looks = 0
        self._found: dict[str, object] | None = None

    def before_update(self, optimizer: Optimizer) -> None:
        """An optimizer is about to step; before its first step, weights are where they began."""
        if id(optimizer) in self.optimizers:
            return
        self.optimizers.add(id(optimizer))
        held = (p for group in optimizer.param_groups for p in group["params"])
        plain = [p for p in held if p.layout is torch.strided and p.is_floating_point()]
        before = set(self._starts)
        matrices: dict[int, list[Tensor]] = {}
        for parameter in sorted(plain, key=Tensor.numel, reverse=True)[:MOST_PARAMETERS]:
            weight = self._models.weight(parameter)
            if weight is not None:
                start = Start(weakref.ref(parameter), parameter.shape, some_of(parameter))
                self._starts.setdefault(weight.model, {})[_bare(weight.name)] = start
                matrices.setdefault(weight.model, []).extend([parameter] if parameter.dim() > 1 else [])
        for model, largest in matrices.items():
            self._fresh[model] = model not in before and bool(largest) and all(map(is_as_made, largest[:SHOWING]))

    def evaluated(self, model: int, module: Module, step: int) -> None:
        """A model is called without gradients."""
        if model in self._starts or not self._starts or self._looks >= MOST_LOOKS or step == 0:
            return
        self._looks += 1
        trained = self.original_of(module)
        if trained is not None:
            original = next((each.ref() for each in self._models.all if each.id == trained), None)
            norms = statistics_of(module, original)
            self._found = _along(self._starts[trained], _parameters(module)) | {"model": model, "step": step} | norms

    def original_of(self, module: Module) -> int | None:
        """The trained model that a module may be a copy of: its parameters have the same names and shapes."""
        own = _parameters(module)
        for model, starts in self._starts.items():
            names = [name for name, start in starts.items() if name in own and own[name].shape == start.shape]
            if len(names) == len(starts) >= LEAST_NAMES:
                return model
        return None

    def is_trained(self, model: int) -> bool:
        """Whether an optimizer holds parameters of a model, and has stepped."""
        return model in self._starts

    def is_where_it_began(self, module: Module, trained: int) -> bool:
        """Whether a module still has the values that a trained model had before its first step, by chance made."""
        own = _parameters(module)
        starts = self._starts[trained].items()
        return self._fresh.get(trained, False) and all(torch.equal(some_of(own[n]), each.values) for n, each in starts)

    def way_of(self, trained: int) -> float:
        """How far a trained model has gone, as a share of the size that its weights began with."""
        pairs = [(start.parameter(), start.values) for start in self._starts[trained].values()]
        gone = sum(float((some_of(now) - began).square().sum()) for now, began in pairs if now is not None)
        size = sum(float(began.square().sum()) for _, began in pairs)
        return float((gone / max(size, 1e-30)) ** 0.5)

    def result(self) -> dict[str, object] | None:
        """How far the copy had gone of the way of the model it is a copy of, and whether it went the same way."""
        return self._found

    def clear(self) -> None:
        """Forget."""
        self._starts.clear()


def _bare(name: str) -> str:
    """A name without that of a wrapper, as an average of a model is."""
    return name.removeprefix("module.")


def _parameters(module: Module) -> dict[str, Tensor]:
    return {_bare(name): each for name, each in unwrapped(module).named_parameters()}


def some_of(parameter: Tensor) -> Tensor:
    """A copy of some elements."""
    flat = parameter.detach().reshape(-1)
    return flat[:: max(flat.numel() // ELEMENTS, 1)].float().clone()


def _along(starts: dict[str, Start], own: dict[str, Tensor]) -> dict[str, object]:
    way, gone = [], []
    for name, start in starts.items():
        trained = start.parameter()
        if trained is not None:
            way.append(some_of(trained) - start.values)
            gone.append(some_of(own[name]) - start.values)
    if not way:
        return {}
    whole, part = torch.cat(way), torch.cat(gone)
    both = float(whole @ part)
    squares = float(whole @ whole), float(part @ part)
    return {"gone": both / max(squares[0], 1e-30), "cosine": both / max((squares[0] * squares[1]) ** 0.5, 1e-30)}
