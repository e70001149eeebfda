"""Parameters around an update: values, gradients, the change itself, and the state that the optimizer keeps."""

import operator
import weakref
from collections.abc import Callable, Iterable, Sequence
from fnmatch import fnmatchcase
from itertools import compress
from math import isfinite, sqrt

import numpy as np
import torch
from torch import Tensor
from torch.nn import Parameter
from torch.optim import Optimizer

from stetho.capture.recorder import Recorder
from stetho.capture.torch.calls.activations import Activations, series_of
from stetho.capture.torch.calls.histograms import Histograms
from stetho.capture.torch.models.models import Models, Weight
from stetho.capture.torch.numbers import Number, number
from stetho.stats import kernel, update_rows
from stetho.store.format import MEASURES

LARGEST_UPDATE = 1 << 15
"""The update of a larger parameter is measured on a regular sample, so that the copy we need stays small."""
STATE_EVERY = 4
"""Optimizer state changes slowly and is measured in every fourth full step."""

MOST_PLANS = 16
NAN = 1 + MEASURES.index("nan")
"""The column of a row that counts NaN; the first holds the series."""


class Plan:
    """The parameters of an optimizer that are measured, and the series that their rows belong to."""

    __slots__ = ("all_known", "grad", "held", "param", "revision", "update", "wanted", "weights")

    def __init__(self, recorder: Recorder, parameters: list[Tensor], known: dict[int, Weight], revision: int) -> None:
        # A step of every program passes here, and looking everything up again takes longer than measuring.
        self.held = [weakref.ref(parameter) for parameter in parameters]
        self.revision = revision
        self.wanted = [weakref.ref(parameter) for parameter in parameters if id(parameter) in known]
        self.weights = [known[id(parameter)] for parameter in parameters if id(parameter) in known]
        self.all_known = len(self.wanted) == len(parameters)
        self.param, self.update = (_series(recorder, role, self.weights) for role in ("param", "update"))
        self.grad: tuple[int, ...] | None = None  # known when all of them have had one

    def fits(self, parameters: list[Tensor], revision: int) -> bool:
        """Whether it was made for these very parameters, under the names that they still have."""
        return revision == self.revision and all(map(operator.is_, map(operator.call, self.held), parameters))


class Parameters:
    """Measures the parameters of one update: `before` it and `after` it."""

    def __init__(
        self, activations: Activations, models: Models, histograms: Histograms, patterns: tuple[str, ...]
    ) -> None:
        self._activations = activations
        self._recorder = activations.recorder
        self._histograms = histograms
        self._models = models
        self._patterns = patterns
        self._wanted: dict[str, bool] = {}
        self._quick_rows = kernel.UpdateRows(LARGEST_UPDATE)
        self._plain_rows = update_rows.UpdateRows(LARGEST_UPDATE)
        self._rows: kernel.UpdateRows | update_rows.UpdateRows = self._quick_rows
        self._plans: dict[tuple[int, ...], Plan] = {}
        self._plan: Plan | None = None
        self._changing: list[Tensor] = []
        self._measured = 0
        self._power: float | None = None
        """The sum of the squares of the values from before the update, where it is known."""
        self.on_nan: Callable[[str], None] = lambda _: None

    def known(self, parameters: list[Tensor]) -> Plan | None:
        """What is known of these parameters; None unless all have a name, and nothing has changed about that."""
        plan = self._plans.get(tuple(map(id, parameters)))
        is_known = plan is not None and plan.all_known and plan.fits(parameters, self._models.revision)
        return plan if is_known else None

    def before(self, every: list[Tensor], plan: Plan | None = None, *, gradients: bool) -> Number | None:
        """Values, copies for the update, and, unless they are still to come, gradients; returns the norm of those."""
        plan = self._plan = plan or self._plan_for(every)
        self._changing = every if plan.all_known else [one for ref in plan.wanted if (one := ref()) is not None]
        # A histogram needs the change itself, not only its numbers.
        self._rows = self._plain_rows if self._histograms.due else self._quick_rows
        self._power = self._rows.before(plan.param, self._changing)
        if self._histograms.due:
            self._add_histograms("param", plan.weights, self._changing)
        return self.gradients(every) if gradients else None

    def gradients(self, every: list[Tensor]) -> Number | None:
        """Gradients alone, for updates that compute them inside (closures); returns the norm of all of them."""
        plan = self._plan
        tensors = [gradient for parameter in self._changing if (gradient := parameter.grad) is not None]
        if plan is None or not tensors:
            return self.cheap_norm(every)
        weights = plan.weights
        if len(tensors) < len(weights):
            weights = list(compress(weights, [parameter.grad is not None for parameter in self._changing]))
            series = _series(self._recorder, "grad", weights)
        else:
            series = plan.grad = plan.grad or _series(self._recorder, "grad", weights)
        power = self._rows.add(series, tensors)
        if self._histograms.due:
            self._add_histograms("grad", weights, tensors)
        return sqrt(power) if power is not None and len(every) == len(self._changing) else self.cheap_norm(every)

    def after(self, optimizer: Optimizer | None, step: int) -> None:
        """Changes and optimizer state; hands over all rows."""
        plan = self._plan
        if plan is not None:
            self._rows.changes(plan.update, self._changing)
            if self._rows is self._plain_rows:
                self._add_histograms("update", plan.weights, self._plain_rows.differences)
            if optimizer is not None and self._measured % STATE_EVERY == 0:
                self._add_state(plan, optimizer)
        self._changing, self._plan = [], None
        self._measured += 1
        if isinstance(self._rows, update_rows.UpdateRows):
            # The step ends here, also for its layers.
            self._rows.join(*self._activations.take())
        rows = self._rows.take()
        if rows:
            self._recorder.stats(step, rows)
        if plan is not None and (self._power is None or not isfinite(self._power)):
            table = np.frombuffer(rows, np.float64).reshape(-1, 1 + len(MEASURES))
            bad = set(table[table[:, NAN] > 0, 0].tolist())
            # The values from before the update tell.
            for weight, series in zip(plan.weights, plan.param, strict=True):
                if series in bad:
                    self.on_nan(weight.name)
                    break

    def cheap_norm(self, parameters: Sequence[Tensor]) -> Number | None:
        """The norm of all gradients together, in few operations."""
        power = kernel.gradient_power(parameters)
        if power is not None:
            return sqrt(power)
        given = [gradient for p in parameters if type(gradient := p.grad) is Tensor]
        if not given:
            return None
        # Asked for a sparse tensor's memory, torch raises, and that takes longer than most steps.
        found = [gradient if gradient.layout is torch.strided else _values(gradient) for gradient in given]
        power = kernel.sum_of_squares(found)
        if power is not None:
            return sqrt(power)
        norms = torch._foreach_norm([gradient.detach() for gradient in found])
        if all(norm.is_cpu for norm in norms):
            return sqrt(sum(norm * norm for norm in [norm.item() for norm in norms]))
        place = norms[0].device
        return number(torch.linalg.vector_norm(torch.stack([norm.to(place).float() for norm in norms])))

    def clear(self) -> None:
        """Forget an update that never came to its end."""
        self._changing, self._plan = [], None
        self._rows.clear()

    def _plan_for(self, parameters: list[Tensor]) -> Plan:
        key = tuple(map(id, parameters))
        plan = self._plans.get(key)
        if plan is None or not plan.fits(parameters, self._models.revision):
            if len(self._plans) >= MOST_PLANS:
                self._plans.clear()
            revision = self._models.revision
            plan = self._plans[key] = Plan(self._recorder, parameters, self._known(parameters), revision)
        return plan

    def _known(self, parameters: Iterable[Tensor]) -> dict[int, Weight]:
        known = {}
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
            known[id(parameter)] = weight
        return known

    def _is_wanted(self, name: str) -> bool:
        known = self._wanted.get(name)
        if known is None:
            layer = name.rpartition(".")[0]
            known = any(fnmatchcase(name, pattern) or fnmatchcase(layer, pattern) for pattern in self._patterns)
            self._wanted[name] = known
        return known

    def _add_histograms(self, role: str, weights: list[Weight], tensors: Sequence[Tensor | None]) -> None:
        for weight, tensor in zip(weights, tensors, strict=True):
            if tensor is not None:
                self._histograms.add(weight, "", role, None, tensor)

    def _add_state(self, plan: Plan, optimizer: Optimizer) -> None:
        found = [
            (weight, f"state.{key}", value)
            for weight, parameter in zip(plan.weights, self._changing, strict=True)
            for key, value in optimizer.state.get(parameter, {}).items()
            if isinstance(value, Tensor) and value.numel() > 1 and value.is_floating_point()
        ]
        series = [series_of(self._recorder, weight, "", role, "train") for weight, role, _ in found]
        self._rows.add(series, [value for _, _, value in found])
        for weight, role, value in found if self._histograms.due else ():
            self._histograms.add(weight, "", role, None, value)


def _series(recorder: Recorder, role: str, weights: Iterable[Weight]) -> tuple[int, ...]:
    return tuple(series_of(recorder, weight, "", role, "train") for weight in weights)


def _values(gradient: Tensor) -> Tensor:
    plain = gradient.detach()
    return plain.coalesce().values() if plain.layout is torch.sparse_coo else plain
