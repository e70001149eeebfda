"""Evaluations: no backward pass comes after them, so nothing tests their loss. What they do is kept call by call.

A stretch is one call of a model and what is made of its output. It is looked at when a number is read off that is none,
and otherwise when it is over: at the next call, or when training goes on.
"""

import weakref
from collections.abc import Callable, Iterator
from math import isinf, isnan
from typing import Any

import torch
from torch import Tensor
from torch.nn import Module

from stetho.capture.torch.autopsy.kept import BackwardCall, Event, Kept, RootCall
from stetho.capture.torch.autopsy.nonfinite import can_be_bad, trouble_of
from stetho.capture.torch.autopsy.tape import Tape, TapeMode, TapeOp
from stetho.capture.torch.calls.leaves import tensor_leaves
from stetho.capture.torch.losses.losses import LOSSES

FREE_PASSES = 64
"""As many are kept whatever they cost: some tenths of a millisecond each."""
AFFORDED_SECONDS = 0.01
"""Passes that come no faster than this are all kept."""
MOST_LOOKS = 3
COPING = frozenset(("isnan", "isfinite", "isinf", "where", "masked_fill", "masked_fill_", "masked_select", "nan_to_num",
                    "nan_to_num_", "nanmean", "nansum", "nanmedian", "__getitem__", "index_select"))  # fmt: skip
"""Who calls these on the output of a model may know of the NaN in it: rows of padding, say."""

NOBODY = Module()
"""Stands for the model of a call until the call is looked at."""

Place = tuple[str, int]
Look = Callable[[list[Event], list[Tensor], str], None]


class Evaluations:
    """Follows calls of models that nothing is learnt from; `look` is told of events, their bad tensors, and what."""

    def __init__(self, mode: TapeMode, look: Look) -> None:
        self._kept = Kept(mode)
        self._models: list[tuple[RootCall, weakref.ref[Module]]] = []
        """The next call may never come, and the program may let go of its model: that is not held by us."""
        self._look = look
        self._looks = 0
        self._passes = 0
        self._last = -AFFORDED_SECONDS
        self._is_missed = False
        self._loss_places: set[Place] = set()
        mode.on_nan_read = self._on_read

    @property
    def is_open(self) -> bool:
        """Whether a call is under way, or what is made of its output."""
        return not self._kept.is_empty

    def is_wanted(self, now: float) -> bool:
        """Whether a call that begins now is kept."""
        self._passes += 1
        since, self._last = now - self._last, now
        if self._looks >= MOST_LOOKS:
            return False
        return self._is_missed or self._passes <= FREE_PASSES or since >= AFFORDED_SECONDS

    def call_begins(self, module: Module, layer: str, args: Any, kwargs: Any, line: str | None) -> None:
        """A model is called."""
        self._kept.call_begins(module, layer, args, kwargs, line)

    def call_ends(self, output: object) -> None:
        """It gave this; whatever is made of it is followed."""
        self._kept.call_ends(output, follow=True)
        tape = self._kept.events[-1] if self._kept.events else None
        if isinstance(tape, Tape):
            # The program may go on with other things, and training may never come again.
            tape.about = {id(tensor) for _, tensor in tensor_leaves(output)}
        if next(_bad_outputs(self._kept.events), None) is None:
            # What is born later needs no call of the model to be seen again, and its tensors are the program's to drop.
            self._kept.events[:] = [event for event in self._kept.events if not isinstance(event, RootCall)]
        for call in self._kept.events:
            if isinstance(call, RootCall) and call.module is not NOBODY:
                self._models.append((call, weakref.ref(call.module)))
                call.module = NOBODY

    def missed(self, loss: Tensor) -> None:
        """The loss of an evaluation, kept or not: if it is bad, the next ones are kept."""
        if not self._is_missed and loss.numel() == 1 and loss.device.type == "cpu" and can_be_bad(loss):
            self._is_missed = isnan(abs(loss.item()))

    def learns_at(self, events: list[Event]) -> None:
        """A backward pass begins: the line that made its loss may make that of an evaluation as well."""
        tape = next((event for event in reversed(events) if isinstance(event, Tape)), None)
        backward = events[-1] if events and isinstance(events[-1], BackwardCall) else None
        if tape is not None and backward is not None and tape.ops and len(self._loss_places) < FREE_PASSES:
            made = next((op for op in reversed(tape.ops) if op.result is backward.loss), None)
            if made is not None and made.place is not None:
                self._loss_places.add(made.place)

    def settle(self, events: list[Event] | None = None) -> None:
        """The stretch is over, or these events turn out to be one: look at what came of it, and let go of it."""
        mine = self._kept.events if events is None else events
        if not mine and self._kept.is_empty:
            return
        if mine and self._looks < MOST_LOOKS:
            self._judge(mine)
        self.clear()

    def clear(self) -> None:
        """Let go of everything."""
        self._kept.clear()
        self._models.clear()

    def _on_read(self) -> None:
        if self._kept.events and self._looks < MOST_LOOKS:
            self._judge(self._kept.events)

    def _judge(self, events: list[Event]) -> None:
        ops = [op for event in events if isinstance(event, Tape) for op in event.ops]
        with torch._C.DisableTorchFunction():
            bad = list(self._bad_numbers(ops))
            what = "loss" if any(self._is_loss(op) for op in bad) else "value"
            tensors = [op.result for op in bad]
            if not bad and not any(getattr(op.func, "__name__", "") in COPING for op in ops):
                tensors, what = list(_bad_outputs(events)), "output"
        models = [model() for _, model in self._models]
        if tensors and None not in models:
            self._looks += 1
            for (call, _), model in zip(self._models, models, strict=True):
                call.module = model or NOBODY
            self._look(list(events), tensors, what)
            for call, _ in self._models:
                call.module = NOBODY

    def _bad_numbers(self, ops: list[TapeOp]) -> Iterator[TapeOp]:
        """The numbers that are NaN in the end: what is handed on to other operations, these have to answer for."""
        given = {
            id(tensor) for op in ops for _, tensor in tensor_leaves((op.args, op.kwargs)) if tensor is not op.result
        }
        for op in ops:
            if not can_be_bad(op.result) or op.result.numel() != 1 or op.result.is_complex() or id(op.result) in given:
                continue
            value = op.result.item()
            # A score may be infinite and mean it; what training takes as its loss may not.
            if isnan(value) or (isinf(value) and op.place in self._loss_places):
                yield op

    def _is_loss(self, op: TapeOp) -> bool:
        return getattr(op.func, "__name__", "") in LOSSES or op.place in self._loss_places


def is_evaluation(events: list[Event], of: Module | None = None) -> bool:
    """Whether some events were an evaluation, of this model, that did not switch gradients off: nothing was learnt."""
    calls = [event for event in events if isinstance(event, RootCall)]
    if not calls or any(call.training for call in calls) or any(isinstance(event, BackwardCall) for event in events):
        return False
    return of is None or any(call.module is of for call in calls)


def _bad_outputs(events: list[Event]) -> Iterator[Tensor]:
    for event in events:
        for _, tensor in tensor_leaves(event.output) if isinstance(event, RootCall) else ():
            trouble = trouble_of(tensor) if can_be_bad(tensor) else None
            if trouble is not None and trouble.nan:
                yield tensor
