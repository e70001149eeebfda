"""Recurrent layers that begin with the state they ended with: whether a training step goes on where the last one was.

The last state of a layer is kept from one step to the next, so that its memory cannot be given to another tensor, and
a state that begins the next step is known again by its memory or, where the program made a copy, by its values.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import Module, RNNBase, RNNCellBase

from stetho.capture.by_identity import ByIdentity
from stetho.capture.torch.calls.leaves import tensor_leaves
from stetho.capture.torch.models.models import Layer

RECURRENT = (RNNBase, RNNCellBase)
MOST_ELEMENTS = 1 << 18
"""Larger states are not kept for us."""


@dataclass(frozen=True, slots=True)
class State:
    """What a layer ended with in a step."""

    step: int
    tensor: Tensor


class CarriedStates:
    """Follows the states of recurrent layers from step to step; the numbers go to the layer."""

    def __init__(self) -> None:
        self._last: ByIdentity[State] = ByIdentity()

    def entered(self, layer: Layer, module: Module, args: tuple[object, ...], step: int) -> None:
        """A layer is called in a training pass; only its first call in a step after a step that was seen tells."""
        last = self._last.get(module)
        if last is None or last.step != step - 1:
            return
        self._last.pop(module)
        layer.begun += 1
        given = next(_states(args[1:]), None)
        if given is None or not bool(given.any()):
            layer.blank += 1
        elif _is_same(given, last.tensor):
            layer.carried += 1

    def left(self, module: Module, output: object, step: int) -> None:
        """A layer gave back its output and its last state; a cell gives back the state alone."""
        state = output[1:] if isinstance(module, RNNBase) and isinstance(output, tuple) else output
        found = next(_states(state), None)
        if found is not None and found.numel() <= MOST_ELEMENTS:
            self._last[module] = State(step, found.detach())

    def clear(self) -> None:
        """Keep no tensor."""
        self._last.clear()


def _states(value: object) -> Iterator[Tensor]:
    return (tensor for _, tensor in tensor_leaves(value))


def _is_same(given: Tensor, last: Tensor) -> bool:
    if given.shape != last.shape or given.device != last.device:
        return False
    with torch.no_grad():
        is_one = given.data_ptr() == last.data_ptr() or torch.equal(given, last)
        return is_one and bool(last.any())
