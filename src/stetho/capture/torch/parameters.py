"""Parameters around an update: values, gradients, the change itself, and the state that the optimizer keeps."""

from collections.abc import Iterable
from fnmatch import fnmatchcase
from math import nan, sqrt

import numpy as np
import torch
from torch import Tensor
from torch.nn import Parameter
from torch.optim import Optimizer

from stetho.capture.recorder import Recorder
from stetho.capture.torch.activations import series_of
from stetho.capture.torch.histograms import Histograms
from stetho.capture.torch.models import Models, Weight
from stetho.capture.torch.numbers import Number, number
from stetho.stats.torch_kernel import Pending, Values, fetch, few_values, hold, is_small

LARGEST_UPDATE = 1 << 18
"""The update of a larger parameter is measured on a regular sample, so that the copy we need stays small."""
STATE_EVERY = 4
"""Optimizer state changes slowly and is measured in every fourth full step."""


class Parameters:
    """Measures the parameters of one update: `before` it and `after` it."""

    def __init__(self, recorder: Recorder, models: Models, histograms: Histograms, patterns: tuple[str, ...]) -> None:
        self._recorder = recorder
        self._histograms = histograms
        self._models = models
        self._patterns = patterns
        self._wanted: dict[str, bool] = {}
        self._items: list[tuple[Weight, str, Pending]] = []
        self._copies: list[tuple[Weight, Tensor, Tensor | Values]] = []
        self._measured = 0

    def before(self, parameters: Iterable[Tensor], *, gradients: bool) -> None:
        """Values, copies for the update, and, unless they are still to come, gradients."""
        for parameter, weight in self._known(parameters):
            self._copy(weight, parameter)
            if gradients and parameter.grad is not None:
                self._keep(weight, "grad", parameter.grad)

    def gradients(self, parameters: Iterable[Tensor]) -> None:
        """Gradients alone, for updates that compute them inside (closures)."""
        for parameter, weight in self._known(parameters):
            if parameter.grad is not None:
                self._keep(weight, "grad", parameter.grad)

    def after(self, optimizer: Optimizer | None, step: int) -> float | None:
        """Changes and optimizer state; hands over all rows and returns the norm of the gradient."""
        for weight, parameter, copy in self._copies:
            if isinstance(copy, Tensor):
                self._keep(weight, "update", torch.sub(_sample(parameter), copy))
            else:
                self._keep_held(weight, "update", parameter.detach().numpy().ravel() - copy)
            if optimizer is not None and self._measured % STATE_EVERY == 0:
                self._state(weight, optimizer.state.get(parameter, {}))
        self._copies.clear()
        self._measured += 1
        return self._hand_over(step)

    def cheap_norm(self, parameters: Iterable[Tensor]) -> Number | None:
        """The norm of all gradients together, in few operations."""
        gradients = [_values(p.grad) for p in parameters if p.grad is not None and type(p.grad) is Tensor]
        if not gradients:
            return None
        norms = torch._foreach_norm(gradients)
        if all(norm.is_cpu for norm in norms):
            return sqrt(sum(norm * norm for norm in [norm.item() for norm in norms]))
        place = norms[0].device
        return number(torch.linalg.vector_norm(torch.stack([norm.to(place).float() for norm in norms])))

    def clear(self) -> None:
        """Forget an update that never came to its end."""
        self._items.clear()
        self._copies.clear()

    def _known(self, parameters: Iterable[Tensor]) -> Iterable[tuple[Tensor, Weight]]:
        for parameter in parameters:
            weight = self._models.weight(parameter)
            if weight is None or not self._is_wanted(weight.name):
                continue
            if type(parameter) not in (Parameter, Tensor):
                kind = type(parameter).__name__
                self._recorder.note(
                    "unseen", f"parameters of type {kind} are not measured: their values are spread or coded"
                )
                continue
            yield parameter, weight

    def _is_wanted(self, name: str) -> bool:
        known = self._wanted.get(name)
        if known is None:
            layer = name.rpartition(".")[0]
            known = any(fnmatchcase(name, pattern) or fnmatchcase(layer, pattern) for pattern in self._patterns)
            self._wanted[name] = known
        return known

    def _state(self, weight: Weight, state: dict[str, object]) -> None:
        for key, value in state.items():
            if isinstance(value, Tensor) and value.numel() > 1 and value.is_floating_point():
                self._keep(weight, f"state.{key}", value)

    def _keep(self, weight: Weight, role: str, tensor: Tensor) -> None:
        self._items.append((weight, role, hold(tensor)))
        if self._histograms.due:
            self._histograms.add(weight, "", role, None, tensor)

    def _keep_held(self, weight: Weight, role: str, values: Values) -> None:
        self._items.append((weight, role, values))
        if self._histograms.due:
            self._histograms.add(weight, "", role, None, torch.from_numpy(values))

    def _copy(self, weight: Weight, parameter: Tensor) -> None:
        """Keep the value as it is before the update; a small one is measured from the copy itself."""
        if is_small(parameter) and parameter.numel() <= LARGEST_UPDATE:
            copy = few_values(parameter)
            self._keep_held(weight, "param", copy)
            self._copies.append((weight, parameter, copy))
        else:
            self._keep(weight, "param", parameter)
            self._copies.append((weight, parameter, _sample(parameter).clone()))

    def _hand_over(self, step: int) -> float | None:
        items, self._items = self._items, []
        if not items:
            return None
        summaries = fetch([pending for _, _, pending in items])
        sizes = {id(w): s.rms for (w, role, _), s in zip(items, summaries, strict=True) if role == "param"}
        rows, power, any_gradient = [], 0.0, False
        for (weight, role, _), summary in zip(items, summaries, strict=True):
            series = series_of(self._recorder, weight, "", role, "train")
            ratio = nan
            if role == "update":
                size = sizes.get(id(weight), 0.0)
                ratio = summary.rms / size if size > 0 else nan
            elif role == "grad":
                any_gradient = True
                power += nan if summary.nans or summary.infs else summary.finite * summary.rms**2
            rows.append((series, *summary.row(1, ratio)))
        self._recorder.stats(step, np.array(rows, np.float64))
        return sqrt(power) if any_gradient and power == power else (nan if any_gradient else None)


def _values(gradient: Tensor) -> Tensor:
    plain = gradient.detach()
    return plain.coalesce().values() if plain.layout is torch.sparse_coo else plain


def _sample(parameter: Tensor) -> Tensor:
    flat = parameter.detach()
    flat = flat.view(-1) if flat.is_contiguous() else flat.reshape(-1)
    return flat if flat.numel() <= LARGEST_UPDATE else flat[:: -(-flat.numel() // LARGEST_UPDATE)]
