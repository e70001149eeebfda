"""Backward passes: the loss they start from, how long they take, and that they are under way."""

import functools
import sys
import weakref
from collections.abc import Callable
from math import isfinite
from time import perf_counter
from types import FrameType
from typing import Any

import torch
from torch import Tensor

from stetho.capture.guard import Guard
from stetho.capture.lines import Lines
from stetho.capture.step import Clock
from stetho.capture.torch.calls.forward import Forward
from stetho.capture.torch.feed.batches import Batches
from stetho.capture.torch.numbers import Number, number
from stetho.capture.torch.patches import Patches


class Backward:
    """Follows `Tensor.backward` and `torch.autograd.backward`, which are one function in the end."""

    def __init__(self, guard: Guard, clock: Clock, forward: Forward, batches: Batches, lines: Lines) -> None:
        self._guard = guard
        self._clock = clock
        self._forward = forward
        self._batches = batches
        self._lines = lines
        self._begin = guard.wrap("backward begin", self._on_begin, naps=True)
        self._end = guard.wrap("backward end", self._on_end, naps=True)
        self._asked = guard.wrap("gradients asked for", self._on_asked, naps=True)
        self._unscaled: tuple[weakref.ref[Tensor], Number] | None = None
        self.on_begin: Callable[[], None] = lambda: None
        self.on_loss: Callable[[Tensor, str, object], None] = lambda _, __, ___: None
        self.on_value: Callable[[Tensor | None, object, FrameType], None] = lambda *_: None
        self.on_missed: Callable[[object], None] = lambda _: None
        """Hears of a value that is not finite, where a step is not kept."""
        self.on_end: Callable[[Tensor | None], None] = lambda _: None
        self.is_by_hand: Callable[[], bool] = lambda: False
        """Whether the program has no optimizer: then gradients that it asks for are for an update of its own."""

    def install(self, patches: Patches) -> None:
        """Follow the calls."""
        patches.replace(torch.autograd, "backward", self._wrapped)
        patches.replace(torch.autograd, "grad", self._wrapped_gradients)

    def scaled(self, scaled: Tensor, loss: Tensor) -> None:
        """A gradient scaler made `scaled` out of `loss`: the loss is what we record."""
        self._unscaled = (weakref.ref(scaled), number(loss))

    def _wrapped(self, original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def backward(*args: Any, **kwargs: Any) -> Any:
            if self._is_unseen():
                return original(*args, **kwargs)
            return self._followed(original, args[0] if args else kwargs.get("tensors"), args, kwargs)

        return backward

    def _wrapped_gradients(self, original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def grad(*args: Any, **kwargs: Any) -> Any:
            if self._is_unseen():
                return original(*args, **kwargs)
            outputs, inputs = (*args, kwargs.get("outputs"), kwargs.get("inputs"))[:2]
            if kwargs.get("create_graph") or not _are_parameters(outputs, inputs):
                return original(*args, **kwargs)
            if self.is_by_hand():
                return self._followed(original, outputs, args, kwargs)
            self._asked(outputs)
            return original(*args, **kwargs)

        return grad

    def update_begins(self) -> None:
        """Gradients that were asked for, where no backward pass made any, are what the program gives its optimizer."""
        step = self._clock.step
        if step.asked and not step.backwards:
            step.losses, step.backwards = step.asked, 1
            step.event("backward")

    def _is_unseen(self) -> bool:
        """Whether a call is none of ours: inside of another one, while compiling, or in another thread."""
        return self._forward.in_backward or torch.compiler.is_compiling() or self._clock.is_elsewhere()

    def _followed(self, original: Callable[..., Any], tensors: Any, args: tuple[Any, ...], kwargs: Any) -> Any:
        loss = self._begin(tensors)
        self._forward.in_backward = True
        started, ours = perf_counter(), self._guard.seconds
        try:
            return original(*args, **kwargs)
        finally:
            self._forward.in_backward = False
            self._end(loss, started, ours)

    def _on_begin(self, tensors: object) -> Tensor | None:
        self.on_begin()
        step = self._clock.step
        loss = _loss(tensors)
        value = self._value(loss) if loss is not None else None
        if value is not None:
            step.losses.append(value)
        step.backwards += 1
        step.event("backward")
        if step.close:
            line = self._lines.note("backward", sys._getframe(1))
            if loss is not None:
                self.on_loss(loss, line, value)
        if step.kept:
            self.on_value(loss, value, sys._getframe(1))
        elif isinstance(value, float) and not isfinite(value):
            self.on_missed(value)
        return loss

    def _on_asked(self, tensors: object) -> None:
        loss = _loss(tensors)
        if loss is not None:
            self._clock.step.asked.append(self._value(loss))

    def _value(self, loss: Tensor) -> Number:
        if self._unscaled is not None:
            scaled, value = self._unscaled
            if scaled() is loss:
                return value
        if loss.is_cpu and loss.numel() == 1:
            return float(loss.item())
        return number(loss if loss.numel() == 1 else loss.detach().mean())

    def _on_end(self, loss: Tensor | None, started: float, ours: float) -> None:
        if self._forward.hooks.armed:
            self._forward.hooks.take_seconds()
        self._clock.step.backward_seconds += perf_counter() - started - (self._guard.so_far() - ours)
        self._batches.backward_done()
        self.on_end(loss)

    def remove(self) -> None:
        """Forget the loss."""
        self._unscaled = None


def _loss(tensors: object) -> Tensor | None:
    if isinstance(tensors, Tensor):
        return tensors
    if isinstance(tensors, (tuple, list)) and tensors and isinstance(tensors[0], Tensor):
        return tensors[0]
    return None


def _are_parameters(outputs: object, inputs: object) -> bool:
    """Whether gradients of one number with respect to several leaves are asked for, as an update by hand needs."""
    loss = _loss(outputs)
    leaves = list(inputs) if isinstance(inputs, (tuple, list)) else []
    return (
        loss is not None
        and loss.numel() == 1
        and len(leaves) > 1
        and all(isinstance(leaf, Tensor) and leaf.is_leaf and leaf.requires_grad for leaf in leaves)
    )
