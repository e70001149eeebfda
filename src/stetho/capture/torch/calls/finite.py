"""Every layer output, its gradient and every parameter, in every step, looked at for values that are not finite."""

import functools
import weakref
from collections.abc import Iterable
from math import isfinite

from torch import Tensor

from stetho.capture.guard import Guard
from stetho.capture.recorder import Recorder
from stetho.capture.step import Clock
from stetho.capture.torch.autopsy.nonfinite import Trouble, can_be_bad, trouble_of
from stetho.capture.torch.calls.layers import Layers, ignoring_result, on_gradient
from stetho.capture.torch.models.models import Layer, Models
from stetho.stats.kernel import sum_of_squares

NOTE = "not finite"


class FiniteCheck:
    """Says in a note of the run where and when NaN or Inf was first seen, once for each layer and parameter."""

    def __init__(self, guard: Guard, clock: Clock, recorder: Recorder, models: Models, layers: Layers) -> None:
        self._clock = clock
        self._recorder = recorder
        self._models = models
        self._gradient = guard.wrap("finite gradient", self._on_gradient)
        layers.finite, layers.trouble = self, guard.wrap("finite gradient", self.tell)
        self._last: tuple[weakref.ref[Tensor], int] | None = None
        self._said: set[tuple[str, str]] = set()

    def __call__(self, layer: Layer, path: str, role: str, tensor: Tensor) -> None:
        """A layer gave this tensor; the gradient that comes back to it is followed from here."""
        if role != "act" or not can_be_bad(tensor) or self._is_known(tensor):
            return
        name = f"{layer.name or layer.kind}{path}"
        self._check("the output of", name, tensor)
        if tensor.requires_grad and tensor.grad_fn is not None:
            on_gradient(tensor, functools.partial(ignoring_result, self._gradient, name))

    def tell(self, layer: Layer, role: str, tensor: Tensor) -> None:
        """The squares of a tensor do not add up to a number: something in it is not finite, or very large."""
        what = "the output of" if role == "act" else "the gradient of the output of"
        self._check(what, layer.name or layer.kind, tensor)

    def parameters(self, parameters: Iterable[Tensor]) -> None:
        """An optimizer is about to change these."""
        held = list(parameters)
        # All of them at once, and each alone only when something is wrong, or cannot be read that way.
        power = sum_of_squares(held)
        if power is not None and isfinite(power):
            return
        for parameter in filter(can_be_bad, held):
            weight = self._models.weight(parameter)
            self._check("the parameter", weight.name if weight is not None else "without a name", parameter)

    def _on_gradient(self, name: str, gradient: Tensor) -> None:
        if can_be_bad(gradient):
            self._check("the gradient of the output of", name, gradient)

    def _is_known(self, tensor: Tensor) -> bool:
        """A container gives back what its last layer gave: that is looked at once, unless it was changed in place."""
        last, version = self._last, -1 if tensor.is_inference() else tensor._version
        self._last = (weakref.ref(tensor), version)
        return last is not None and last[0]() is tensor and last[1] == version

    def _check(self, what: str, name: str, tensor: Tensor) -> None:
        trouble = trouble_of(tensor)
        if trouble is not None and (what, name) not in self._said:
            self._said.add((what, name))
            step = self._clock.step.number
            self._recorder.note(NOTE, f"step {step}: {what} `{name}` holds {_kind(trouble)}", step=step)


def _kind(trouble: Trouble) -> str:
    return "NaN" if trouble.nan else "minus infinity" if trouble.only_negative else "infinite values"
