"""States that the program takes from its models and gives back to them: whether they fit, and whether they are copies.

`state_dict()` gives back the weights themselves, not a copy. A state that is kept that way follows the training, and
loading it restores nothing.
"""

import sys
import weakref
from collections import deque
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn import Module

from stetho.capture.guard import Guard
from stetho.capture.lines import Lines
from stetho.capture.step import Clock
from stetho.capture.torch.patches import Patches
from stetho.capture.torch.updates.optimizers import Optimizers

MOST_STATES = 256
MOST_TENSORS = 8
"""From so many tensors of a state a few elements are remembered, to know whether they changed since."""
ELEMENTS = 16


@dataclass(frozen=True, slots=True)
class Taken:
    """A state that the program asked for: its first tensor and memory, some of its values, when and where."""

    first: weakref.ref[Tensor]
    memory: int
    values: list[Tensor]
    step: int
    line: str


class Loads:
    """The calls of `load_state_dict`; `all` is what model.json says of them."""

    def __init__(self, guard: Guard, clock: Clock, optimizers: Optimizers, lines: Lines) -> None:
        self._guard = guard
        self._clock = clock
        self._optimizers = optimizers
        self._lines = lines
        self._taken: deque[Taken] = deque(maxlen=MOST_STATES)
        self.all: list[dict[str, object]] = []

    def install(self, patches: Patches) -> None:
        """Follow the calls."""
        loaded = self._guard.wrap("weights loaded", self._on_load)
        taken = self._guard.wrap("state taken", self._on_state)

        def after_state(state: Any, _module: Module, *args: object, **named: object) -> None:
            # A module asks its parts with a place to put their states.
            if not args and named.get("destination") is None and torch._C._get_tracing_state() is None:
                taken(state)

        patches.around(Module, "state_dict", after=after_state)
        patches.around(Module, "load_state_dict", after=lambda *event, **named: loaded(*event, **named))

    def _on_state(self, state: Any) -> None:
        tensors = plain_tensors(state)
        if not tensors:
            return
        line = self._lines.note("state_dict", sys._getframe(1))
        first = tensors[0]
        self._taken.append(Taken(weakref.ref(first), first.data_ptr(), _some(tensors), self._clock.done, line))

    def _on_load(self, result: Any, module: Module, state_dict: Any = None, *_: object, **__: object) -> None:
        missing = list(getattr(result, "missing_keys", ()))
        unexpected = list(getattr(result, "unexpected_keys", ()))
        given = len(state_dict) if hasattr(state_dict, "__len__") else None
        facts: dict[str, object] = {
            "line": self._lines.note("load_state_dict", sys._getframe(1)),
            "model": type(module).__name__,
            "step": self._clock.done,
            "given": given,
            # Not from the module's own state_dict: its hooks are the user's, and may talk to other processes.
            "matched": given - len(unexpected) if given is not None else None,
            "missing": len(missing),
            "unexpected": len(unexpected),
            "first_missing": missing[:5],
            "first_unexpected": unexpected[:5],
        }
        kept = self._kept_as_it_was(module, state_dict)
        self.all.append(facts if kept is None else facts | {"kept": kept.step, "kept_at": kept.line})

    def _kept_as_it_was(self, module: Module, state: Any) -> Taken | None:
        """The call that gave a state which is the module's own memory, and was trained on since."""
        tensors = plain_tensors(state)
        if not tensors or not is_own_memory(module, tensors):
            return None
        taken = self._found(tensors[0])
        holders = self._optimizers.holders()
        is_trained = any(id(parameter) in holders for parameter in module.parameters())
        if taken is None or taken.step >= self._clock.done or not is_trained:
            return None
        now = _some(tensors)
        same = len(now) == len(taken.values) and all(map(torch.equal, now, taken.values))
        return None if same else taken

    def _found(self, first: Tensor) -> Taken | None:
        """The state that a tensor is from; what was made of it (`detach()`, `data`) is from the last at the best."""
        itself = next((each for each in reversed(self._taken) if each.first() is first), None)
        memory = first.data_ptr()
        return itself or next((each for each in reversed(self._taken) if each.memory == memory), None)


def plain_tensors(state: Any) -> list[Tensor]:
    """The tensors of a state that have memory of their own kind."""
    values = list(state.values()) if hasattr(state, "values") else []
    return [each for each in values if isinstance(each, Tensor) and _is_plain(each)]


def is_own_memory(module: Module, tensors: list[Tensor]) -> bool:
    """Whether all these tensors are parameters or buffers of the module, and no copies.

    >>> layer = torch.nn.Linear(2, 2)
    >>> is_own_memory(layer, [layer.weight.detach()]), is_own_memory(layer, [layer.weight.detach().clone()])
    (True, False)
    """
    own = {each.data_ptr() for each in (*module.parameters(), *module.buffers()) if _is_plain(each)}
    return all(each.data_ptr() in own for each in tensors)


def _is_plain(tensor: Tensor) -> bool:
    is_usual = type(tensor) in (Tensor, torch.nn.Parameter, torch.nn.Buffer)
    return is_usual and tensor.layout is torch.strided and not tensor.is_meta and tensor.numel() > 0


def _some(tensors: list[Tensor]) -> list[Tensor]:
    """A few elements of some of the tensors."""
    with torch.no_grad():
        chosen = [each.detach() for each in tensors if each.is_floating_point()][:MOST_TENSORS]
        return [each.reshape(-1)[:: max(each.numel() // ELEMENTS, 1)].clone() for each in chosen]
