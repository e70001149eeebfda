"""A long sequence that is learnt piece by piece: what would the state at the end of one piece be worth for the next?"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from weakref import WeakKeyDictionary

import torch
from torch import Tensor
from torch.nn import Module, RNNBase

from stetho.capture.text.begun import state_made_at
from stetho.capture.torch.autopsy.copied import Copies
from stetho.capture.torch.autopsy.kept import Event, RootCall
from stetho.capture.torch.autopsy.replay import Replay, mapped
from stetho.capture.torch.calls.carried import RECURRENT
from stetho.capture.torch.calls.leaves import first_tensor
from stetho.capture.torch.probes.pieces import Piece, piece_of, what_was_before

FIRST_LOOK = 40
FURTHER = 1.3
"""Looks come at steps that are further and further apart."""
LEAST_PIECES = 5


class Stream:
    """Follows what a recurrent model is given from step to step."""

    def __init__(self) -> None:
        self._last: Piece | None = None
        self._has_state: WeakKeyDictionary[Module, bool] = WeakKeyDictionary()
        self._axis: int | None = None
        self._due = FIRST_LOOK
        self._seen = self._went_on = 0
        self._line: str | None = None
        self._without: list[float] = []
        self._with_state: list[float] = []

    def result(self) -> dict[str, Any]:
        """In how many steps the input went on where it ended in the one before, and the losses without and with it."""
        if not self._without:
            return {}
        return {
            "pieces": self._seen,
            "went_on": self._went_on,
            "line": self._line,
            "without_state": self._without,
            "with_state": self._with_state,
        }

    def is_due(self, call: RootCall, step: int) -> bool:
        """Whether an experiment is worth its while, after a step of which this call was kept."""
        inputs = first_tensor(call.args, call.kwargs)
        piece = piece_of(inputs, step) if inputs is not None else None
        last, self._last = self._last, piece
        if piece is None or last is None or not self._is_recurrent(call.module):
            return False
        self._seen += 1
        self._axis = piece.goes_on(last)
        self._went_on += self._axis is not None
        is_stream = self._axis is not None and self._went_on > max(0.8 * self._seen, LEAST_PIECES)
        return is_stream and step >= self._due and (self._axis == 1 or _has_time_first(call.module))

    def _is_recurrent(self, model: Module) -> bool:
        # Looked for once: to go through all parts of a large model at every step takes half a millisecond.
        known = self._has_state.get(model)
        if known is None:
            known = self._has_state[model] = bool(_recurrent(model))
        return known

    def compare(self, copies: Copies, call: RootCall, events: list[Event], step: int) -> None:
        """Make the loss of the step again: as it was, and with the state that the pieces before it lead to."""
        inputs = first_tensor(call.args, call.kwargs)
        before = what_was_before(inputs, self._axis) if inputs is not None and self._axis is not None else None
        if inputs is None or before is None:
            return
        self._due = int(step * FURTHER)
        model = copies.of(call.module)
        args, kwargs = mapped((call.args, call.kwargs), lambda each: before if each is inputs else each.detach())
        with torch.no_grad(), _states_after(model) as states:
            model(*args, **kwargs)
        blank = {module: mapped(state, torch.zeros_like) for module, state in states.items()}
        losses = [_loss(copies, events, chosen) for chosen in (blank, states)]
        if losses[0] is not None and losses[1] is not None:
            self._line = state_made_at(call.line) if call.line is not None else None
            self._without.append(losses[0])
            self._with_state.append(losses[1])


def _recurrent(model: Module) -> list[Module]:
    return [part for part in model.modules() if isinstance(part, RECURRENT)]


def _has_time_first(model: Module) -> bool:
    layers = [part for part in model.modules() if isinstance(part, RNNBase)]
    return bool(layers) and not any(layer.batch_first for layer in layers)


@contextmanager
def _states_after(model: Module) -> Iterator[dict[Module, Any]]:
    """The states that recurrent layers end a call of the model with."""
    found: dict[Module, Any] = {}

    def leave(module: Module, _args: object, output: Any) -> None:
        found[module] = output[1] if isinstance(module, RNNBase) else output

    handles = [part.register_forward_hook(leave) for part in _recurrent(model)]
    try:
        yield found
    finally:
        for handle in handles:
            handle.remove()


def _loss(copies: Copies, events: list[Event], states: dict[Module, Any]) -> float | None:
    """The loss of the step, made again with recurrent layers that begin with these states."""
    waiting = set(states)

    def enter(module: Module, args: tuple[Any, ...]) -> tuple[Any, ...] | None:
        if module not in waiting:
            return None
        waiting.discard(module)
        return args[0], mapped(states[module], Tensor.clone)

    handles = [part.register_forward_pre_hook(enter) for part in states]
    try:
        loss = Replay(copies).loss(events)
    finally:
        for handle in handles:
            handle.remove()
    return float(loss.detach()) if loss is not None and not waiting else None
