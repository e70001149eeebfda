"""Parameters around an update: values, gradients, the change itself, and the state that the optimizer keeps."""

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from math import sqrt

import torch
from torch import Tensor
from torch.nn import Parameter
from torch.optim import Optimizer

from stetho.capture.recorder import Recorder
from stetho.capture.torch.activations import series_of
from stetho.capture.torch.histograms import Histograms
from stetho.capture.torch.models import Models, Weight
from stetho.capture.torch.numbers import Number, number
from stetho.stats import kernel, update_rows

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
        self._quick_rows = kernel.UpdateRows(LARGEST_UPDATE)
        self._plain_rows = update_rows.UpdateRows(LARGEST_UPDATE)
        self._rows: kernel.UpdateRows | update_rows.UpdateRows = self._quick_rows
        self._changing: list[Tensor] = []
        self._weights: list[Weight] = []
        self._measured = 0

    def before(self, parameters: Iterable[Tensor], *, gradients: bool) -> Number | None:
        """Values, copies for the update, and, unless they are still to come, gradients; returns the norm of those."""
        every = list(parameters)
        known = list(self._known(every))
        self._changing = [parameter for parameter, _ in known]
        self._weights = [weight for _, weight in known]
        # A histogram needs the change itself, not only its numbers.
        self._rows = self._plain_rows if self._histograms.due else self._quick_rows
        self._rows.before(self._series("param", self._weights), self._changing)
        self._add_histograms("param", self._weights, self._changing)
        return self.gradients(every) if gradients else None

    def gradients(self, parameters: Iterable[Tensor]) -> Number | None:
        """Gradients alone, for updates that compute them inside (closures); returns the norm of all of them."""
        every = list(parameters)
        pairs = [
            (weight, gradient)
            for weight, parameter in zip(self._weights, self._changing, strict=True)
            if (gradient := parameter.grad) is not None
        ]
        weights, tensors = [weight for weight, _ in pairs], [gradient for _, gradient in pairs]
        power = self._rows.add(self._series("grad", weights), tensors)
        self._add_histograms("grad", weights, tensors)
        is_all = power is not None and tensors and len(every) == len(self._changing)
        return sqrt(power) if is_all else self.cheap_norm(every)  # type: ignore[arg-type]  # a number, as just tested

    def after(self, optimizer: Optimizer | None, step: int) -> None:
        """Changes and optimizer state; hands over all rows."""
        self._rows.changes(self._series("update", self._weights), self._changing)
        if self._rows is self._plain_rows:
            self._add_histograms("update", self._weights, self._plain_rows.differences)
        if optimizer is not None and self._measured % STATE_EVERY == 0:
            self._add_state(optimizer)
        self._changing, self._weights = [], []
        self._measured += 1
        rows = self._rows.take()
        if len(rows):
            self._recorder.stats(step, rows)

    def cheap_norm(self, parameters: Iterable[Tensor]) -> Number | None:
        """The norm of all gradients together, in few operations."""
        found = [gradient for p in parameters if type(gradient := p.grad) is Tensor]
        if not found:
            return None
        power = kernel.sum_of_squares(found)
        if power is not None:
            return sqrt(power)
        norms = torch._foreach_norm([_values(gradient) for gradient in found])
        if all(norm.is_cpu for norm in norms):
            return sqrt(sum(norm * norm for norm in [norm.item() for norm in norms]))
        place = norms[0].device
        return number(torch.linalg.vector_norm(torch.stack([norm.to(place).float() for norm in norms])))

    def clear(self) -> None:
        """Forget an update that never came to its end."""
        self._changing, self._weights = [], []
        self._rows.clear()

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

    def _series(self, role: str, weights: list[Weight]) -> list[int]:
        return [series_of(self._recorder, weight, "", role, "train") for weight in weights]

    def _add_histograms(self, role: str, weights: list[Weight], tensors: Sequence[Tensor | None]) -> None:
        if self._histograms.due:
            for weight, tensor in zip(weights, tensors, strict=True):
                if tensor is not None:
                    self._histograms.add(weight, "", role, None, tensor)

    def _add_state(self, optimizer: Optimizer) -> None:
        found = [
            (weight, f"state.{key}", value)
            for weight, parameter in zip(self._weights, self._changing, strict=True)
            for key, value in optimizer.state.get(parameter, {}).items()
            if isinstance(value, Tensor) and value.numel() > 1 and value.is_floating_point()
        ]
        series = [series_of(self._recorder, weight, "", role, "train") for weight, role, _ in found]
        self._rows.add(series, [value for _, _, value in found])
        for weight, role, value in found if self._histograms.due else ():
            self._histograms.add(weight, "", role, None, value)


def _values(gradient: Tensor) -> Tensor:
    plain = gradient.detach()
    return plain.coalesce().values() if plain.layout is torch.sparse_coo else plain
