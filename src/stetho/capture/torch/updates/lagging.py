"""Copies of a trained model that are evaluated, as averages of its weights: how far they have come along its way."""

import weakref
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import Module
from torch.optim import Optimizer

from stetho.capture.torch.models.models import Models, unwrapped

MOST_PARAMETERS = 12
ELEMENTS = 256
MOST_LOOKS = 200
LEAST_NAMES = 2


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
        for parameter in sorted(plain, key=Tensor.numel, reverse=True)[:MOST_PARAMETERS]:
            weight = self._models.weight(parameter)
            if weight is not None:
                start = Start(weakref.ref(parameter), parameter.shape, _some(parameter))
                self._starts.setdefault(weight.model, {})[_bare(weight.name)] = start

    def evaluated(self, model: int, module: Module, step: int) -> None:
        """A model is called without gradients."""
        if model in self._starts or not self._starts or self._looks >= MOST_LOOKS or step == 0:
            return
        self._looks += 1
        own: dict[str, Tensor] = {_bare(name): each for name, each in unwrapped(module).named_parameters()}
        for starts in self._starts.values():
            names = [name for name, start in starts.items() if name in own and own[name].shape == start.shape]
            if len(names) == len(starts) >= LEAST_NAMES:
                self._found = _along(starts, own) | {"model": model, "step": step}
                return

    def result(self) -> dict[str, object] | None:
        """How far the copy had gone of the way of the model it is a copy of, and whether it went the same way."""
        return self._found

    def clear(self) -> None:
        """Forget."""
        self._starts.clear()


def _bare(name: str) -> str:
    """A name without that of a wrapper, as an average of a model is."""
    return name.removeprefix("module.")


def _some(parameter: Tensor) -> Tensor:
    flat = parameter.detach().reshape(-1)
    return flat[:: max(flat.numel() // ELEMENTS, 1)].float().clone()


def _along(starts: dict[str, Start], own: dict[str, Tensor]) -> dict[str, object]:
    way, gone = [], []
    for name, start in starts.items():
        trained = start.parameter()
        if trained is not None:
            way.append(_some(trained) - start.values)
            gone.append(_some(own[name]) - start.values)
    if not way:
        return {}
    whole, part = torch.cat(way), torch.cat(gone)
    both = float(whole @ part)
    squares = float(whole @ whole), float(part @ part)
    return {"gone": both / max(squares[0], 1e-30), "cosine": both / max((squares[0] * squares[1]) ** 0.5, 1e-30)}
