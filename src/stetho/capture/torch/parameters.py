"""Parameters around an update: values, gradients, the change itself, and the state that the optimizer keeps."""

from collections.abc import Iterable
from fnmatch import fnmatchcase
from math import nan, sqrt

import torch
from torch import Tensor
from torch.nn import Parameter
from torch.optim import Optimizer

from stetho.capture.recorder import Recorder
from stetho.capture.torch.activations import series_of
from stetho.capture.torch.histograms import Histograms
from stetho.capture.torch.models import Models, Weight
from stetho.capture.torch.numbers import Number, number
from stetho.stats import copies, kernel
from stetho.stats.kernel import Pending, fetch, measure_all, table

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
        self._quick_copies = kernel.Copies(LARGEST_UPDATE)
        self._plain_copies = copies.Copies(LARGEST_UPDATE)
        self._copies: kernel.Copies | copies.Copies = self._quick_copies
        self._changing: list[Tensor] = []
        self._weights: list[Weight] = []
        self._measured = 0

    def before(self, parameters: Iterable[Tensor], *, gradients: bool) -> None:
        """Values, copies for the update, and, unless they are still to come, gradients."""
        known = list(self._known(parameters))
        self._changing = [parameter for parameter, _ in known]
        self._weights = [weight for _, weight in known]
        # A histogram needs the change itself, not only its numbers.
        self._copies = self._plain_copies if self._histograms.due else self._quick_copies
        self._copies.keep(self._changing)
        wanted = [(weight, "param", parameter) for parameter, weight in known]
        self._keep(wanted + self._gradients_of(known) if gradients else wanted)

    def gradients(self, parameters: Iterable[Tensor]) -> None:
        """Gradients alone, for updates that compute them inside (closures)."""
        self._keep(self._gradients_of(list(self._known(parameters))))

    def after(self, optimizer: Optimizer | None, step: int) -> float | None:
        """Changes and optimizer state; hands over all rows and returns the norm of the gradient."""
        self._keep_changes()
        if optimizer is not None and self._measured % STATE_EVERY == 0:
            self._keep_state(optimizer)
        self._forget_copies()
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
        self._forget_copies()

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

    @staticmethod
    def _gradients_of(known: list[tuple[Tensor, Weight]]) -> list[tuple[Weight, str, Tensor]]:
        return [(weight, "grad", parameter.grad) for parameter, weight in known if parameter.grad is not None]

    def _keep(self, wanted: list[tuple[Weight, str, Tensor]]) -> None:
        """Measure many tensors with one call."""
        measured = measure_all([tensor for _, _, tensor in wanted])
        self._items += [(weight, role, one) for (weight, role, _), one in zip(wanted, measured, strict=True)]
        if self._histograms.due:
            for weight, role, tensor in wanted:
                self._histograms.add(weight, "", role, None, tensor)

    def _keep_changes(self) -> None:
        if self._copies is self._plain_copies:
            differences = zip(self._weights, self._plain_copies.differences(self._changing), strict=True)
            self._keep([(weight, "update", change) for weight, change in differences if change is not None])
            return
        changes = zip(self._weights, self._copies.changes(self._changing), strict=True)
        self._items += [(weight, "update", change) for weight, change in changes if change is not None]

    def _keep_state(self, optimizer: Optimizer) -> None:
        self._keep(
            [
                (weight, f"state.{key}", value)
                for weight, parameter in zip(self._weights, self._changing, strict=True)
                for key, value in optimizer.state.get(parameter, {}).items()
                if isinstance(value, Tensor) and value.numel() > 1 and value.is_floating_point()
            ]
        )

    def _forget_copies(self) -> None:
        self._changing, self._weights = [], []
        self._copies.clear()

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
            rows.append((series, 1, summary, ratio))
        self._recorder.stats(step, table(rows))
        return sqrt(power) if any_gradient and power == power else (nan if any_gradient else None)


def _values(gradient: Tensor) -> Tensor:
    plain = gradient.detach()
    return plain.coalesce().values() if plain.layout is torch.sparse_coo else plain
