"""Derivatives with respect to inputs that a program takes on its way to the loss, and that lose their graph."""

import sys
from typing import Any

import torch
from torch import Tensor

from stetho.capture.guard import Guard
from stetho.capture.lines import Lines
from stetho.capture.torch.patches import Patches

EVENT = "derivative without graph"


class Derivatives:
    """Notes the lines where derivatives of a field, not of a loss, are taken for a loss and come back as constants.

    Who keeps the graph for later (`retain_graph`) goes on to use it, and a single number is a loss: its gradients are
    wanted as numbers, for attacks on inputs or to weigh terms.
    """

    def __init__(self, guard: Guard, lines: Lines) -> None:
        self._guard = guard
        self._lines = lines

    def install(self, patches: Patches) -> None:
        """Follow `torch.autograd.grad`."""
        taken = self._guard.wrap("derivative", self._on_derivative, naps=True)
        patches.around(torch.autograd, "grad", before=lambda *given, **named: taken(*given, **named))

    def _on_derivative(
        self,
        outputs: Any,
        inputs: Any,
        _grad_outputs: Any = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        *_: Any,
        **__: Any,
    ) -> None:
        if create_graph or not retain_graph or not torch.is_grad_enabled():
            return
        fields, places = _tensors(outputs), _tensors(inputs)
        if any(field.numel() > 1 for field in fields) and not any(isinstance(x, torch.nn.Parameter) for x in places):
            self._lines.note(EVENT, sys._getframe(1))


def _tensors(value: Any) -> list[Tensor]:
    values = value if isinstance(value, (tuple, list)) else [value]
    return [each for each in values if isinstance(each, Tensor)]
