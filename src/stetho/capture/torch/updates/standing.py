"""Copies of a trained model that make its targets, as target networks do: whether they ever move.

Such a copy is called without gradients in every step, with as many samples as the trained model and other ones: the
next states, another view. A teacher that is meant to stay as it is gets the same samples, or was trained before.
"""

import weakref
from dataclasses import dataclass, field

import torch
from torch import Tensor
from torch.nn import Module

from stetho.capture.torch.calls.leaves import first_tensor
from stetho.capture.torch.feed.samples import content_hash, regular_sample
from stetho.capture.torch.updates.lagging import Lagging

FIRST_LOOKS = 5
LATER = 1.08
"""After the first steps, so much later each time: the last look is near the end, however long the run is."""
MOST_CALLS = 2
"""A copy that plays a game, or answers token by token, is called more often in a step."""

MOST_KEPT = 64


@dataclass(slots=True, eq=False)
class Copy:
    """What was seen of a model that may be a copy of a trained one."""

    trained: int
    looks: int = 0
    last: int = 0
    excused: bool = False
    moved: bool = False
    way: float = 0.0
    inputs: set[int] = field(default_factory=set)


@dataclass(frozen=True, slots=True, eq=False)
class _Call:
    model: int
    module: weakref.ref[Module]
    has_gradients: bool
    size: int
    elements: int
    sample: Tensor

    @property
    def content(self) -> int:
        return content_hash(self.sample, self.elements)


class Standing:
    """Looks at the calls of some steps."""

    def __init__(self, lagging: Lagging) -> None:
        self._lagging = lagging
        self._copies: dict[int, Copy] = {}
        self._calls: list[_Call] = []
        self._step = 0
        self._next = 1
        self._is_due = False
        self._looks = 0

    def called(
        self, model: int, module: Module, args: object, kwargs: object, step: int, *, has_gradients: bool
    ) -> None:
        """A model is called, after so many steps."""
        if step != self._step:
            self._finish()
            self._step, self._is_due = step, step >= self._next
        inputs = first_tensor(args, kwargs) if self._is_due and len(self._calls) < MOST_KEPT else None
        if inputs is None or not inputs.dim() or not inputs.numel() or inputs.is_complex():
            return
        if inputs.layout is torch.strided:
            given = len(inputs), inputs.numel(), regular_sample(inputs)
            self._calls.append(_Call(model, weakref.ref(module), has_gradients, *given))

    def result(self) -> dict[str, object] | None:
        """The copy that never moved while the trained model did; None where there is none."""
        for model, copy in self._copies.items():
            if not copy.excused and not copy.moved and len(copy.inputs) > 1:
                return {"model": model, "trained": copy.trained, "looks": copy.looks, "last": copy.last,
                        "way": copy.way}  # fmt: skip
        return None

    def following(self) -> dict[str, object] | None:
        """The copy that makes targets in most steps, and moves; None where there is none."""
        for model, copy in self._copies.items():
            if not copy.excused and copy.moved and 2 * copy.looks > self._looks and len(copy.inputs) > 1:
                return {"model": model, "trained": copy.trained, "looks": copy.looks, "last": copy.last}
        return None

    def clear(self) -> None:
        """Forget the step under way."""
        self._calls.clear()

    def _finish(self) -> None:
        calls, self._calls = self._calls, []
        if not calls:
            return
        self._looks += 1
        self._next = max(self._step + 1, int(self._step * LATER)) if self._step > FIRST_LOOKS else self._step + 1
        for model in {call.model for call in calls if not call.has_gradients}:
            if not self._lagging.is_trained(model):
                self._look(model, calls)

    def _look(self, model: int, calls: list[_Call]) -> None:
        own = [call for call in calls if call.model == model]
        module = own[0].module()
        if module is None:
            return
        copy = self._copies.get(model)
        if copy is None:
            trained = self._lagging.original_of(module)
            if trained is None:
                return
            copy = self._copies[model] = Copy(trained)
        learning = [call for call in calls if call.model == copy.trained and call.has_gradients]
        if copy.excused or not learning:
            return
        contents = {call.content for call in own}
        is_shared = bool(contents & {call.content for call in learning})
        is_alike = {call.size for call in own} <= {call.size for call in learning} and len(own) <= MOST_CALLS
        copy.moved = copy.moved or not self._lagging.is_where_it_began(module, copy.trained)
        copy.excused = is_shared or not is_alike or any(call.has_gradients for call in own)
        copy.looks, copy.last = copy.looks + 1, self._step
        copy.inputs |= contents
        copy.way = self._lagging.way_of(copy.trained)
