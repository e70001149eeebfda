"""The other events of a training loop: gradients zeroed, clipped, unscaled; schedulers; steps left out by a scaler."""

import sys
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor
from torch.optim import Optimizer, lr_scheduler

from stetho.capture.guard import FILES, Guard
from stetho.capture.lines import Lines
from stetho.capture.step import Clock
from stetho.capture.torch.numbers import number
from stetho.capture.torch.patches import WRAPPERS, Patches
from stetho.capture.torch.updates.backward import Backward
from stetho.capture.torch.updates.hooks import Hooks
from stetho.capture.torch.updates.loads import Loads
from stetho.capture.torch.updates.optimizers import Optimizers
from stetho.capture.torch.updates.plateaus import Plateau

_SCHEDULERS = (lr_scheduler.LRScheduler, lr_scheduler.ReduceLROnPlateau)

OUR_FILES = {__file__} | WRAPPERS | FILES
"""What stands on the stack between a call of the program and the function of ours that hears of it."""


class Loop:
    """Events between the steps. `on_skipped` hears of a step that the gradient scaler left out."""

    def __init__(self, guard: Guard, clock: Clock, backward: Backward, optimizers: Optimizers, lines: Lines) -> None:
        self._guard = guard
        self._clock = clock
        self._backward = backward
        self._lines = lines
        self._schedulers: list[tuple[weakref.ref[Any], dict[str, object]]] = []
        self._plateaus: dict[int, Plateau] = {}
        self.loads = Loads(guard, clock, optimizers, lines)
        self.hooks = Hooks(guard, clock, lines)
        self._steps_before = 0
        self.on_skipped: Callable[[Optimizer], None] = lambda _: None

    def install(self, patches: Patches) -> None:
        """Follow the events."""
        zeroed = self._guard.wrap("zero_grad", self._on_zero_grad, naps=True)
        for owner in (Optimizer, torch.nn.Module):
            patches.around(owner, "zero_grad", before=zeroed)
        clipped = self._guard.wrap("clip", self._on_clip, naps=True)
        limited = self._guard.wrap("clip value", self._on_clip_value, naps=True)
        for place in (torch.nn.utils, torch.nn.utils.clip_grad):
            patches.around(place, "clip_grad_norm_", after=lambda *event, **more: clipped(*event, **more))
            patches.around(place, "clip_grad_value_", before=lambda *event, **more: limited(*event, **more))
        stepped = self._guard.wrap("scheduler step", self._on_scheduler)
        made = self._guard.wrap("scheduler made", self._on_scheduler_made)
        for kind in _classes_with("__init__"):
            patches.around(kind, "__init__", after=lambda _, scheduler, *__, **___: made(scheduler))
        for kind in _classes_with("step"):
            patches.around(kind, "step", after=lambda _, *given, **named: stepped(*given, **named))
        switched_off = self._guard.wrap("eval mode", self._on_eval_mode)
        # Our own experiments switch their copies as well.
        patches.around(
            torch.nn.Module,
            "train",
            before=lambda _, mode=True: None if mode or self._guard.is_inside else switched_off(),
        )
        self.loads.install(patches)
        self.hooks.install(patches)
        self._install_scaler(patches)

    def _install_scaler(self, patches: Patches) -> None:
        scaler = torch.amp.GradScaler
        scaled = self._guard.wrap("scale", self._on_scale, naps=True)
        unscaled = self._guard.wrap("unscale", self._on_unscale, naps=True)
        begin = self._guard.wrap("scaler step begin", self._on_scaler_begin)
        end = self._guard.wrap("scaler step end", self._on_scaler_end)
        patches.around(scaler, "scale", after=lambda result, _, *loss, **named: scaled(result, *loss, *named.values()))
        patches.around(scaler, "unscale_", before=lambda *_, **__: unscaled())
        patches.around(
            scaler,
            "step",
            before=lambda instance, *_, **__: begin(instance),
            after=lambda _, __, optimizer, *___, **____: end(optimizer),
        )

    def facts(self) -> list[dict[str, object]]:
        """What model.json says of the schedulers."""
        plateaus = [self._plateaus.get(place) for place in range(len(self._schedulers))]
        waits = [plateau.facts() if plateau is not None else {} for plateau in plateaus]
        return [facts | more for (_, facts), more in zip(self._schedulers, waits, strict=True)]

    def _on_scheduler_made(self, scheduler: Any) -> None:
        # A constructor calls the one of its base class, and a scheduler of schedulers makes none.
        if all(known() is not scheduler for known, _ in self._schedulers):
            line = self._lines.note("scheduler made", sys._getframe(1))
            facts: dict[str, object] = {"class": type(scheduler).__name__, "line": line, "steps": 0}
            if isinstance(scheduler, lr_scheduler.ReduceLROnPlateau):
                self._plateaus[len(self._schedulers)] = Plateau(scheduler)
            self._schedulers.append((weakref.ref(scheduler), facts))

    def _on_zero_grad(self, *_: object, **__: object) -> None:
        step = self._clock.step
        if not step.order or step.order[-1] != "zero_grad":
            step.event("zero_grad")
        if step.close:
            self._lines.note("zero_grad", sys._getframe(1))

    def _on_eval_mode(self) -> None:
        self._lines.note("eval mode", sys._getframe(1))

    def _on_clip(self, total: object, *given: object, **named: object) -> None:
        step = self._clock.step
        step.event("clip")
        if isinstance(total, Tensor):
            step.facts["clip_norm"] = number(total)
        limit = given[1] if len(given) > 1 else named.get("max_norm")
        step.facts["clip_max"] = float(limit) if isinstance(limit, (int, float)) else None
        if step.close:
            self._lines.note("clip", sys._getframe(1))

    def _on_clip_value(self, _parameters: object, clip_value: Any = None, *_: object, **__: object) -> None:
        # The parameters are mostly a generator: looking at it would use it up.
        step = self._clock.step
        step.event("clip_value")
        step.facts["clip_max"] = float(clip_value) if isinstance(clip_value, (int, float)) else None
        if step.close:
            self._lines.note("clip", sys._getframe(1))

    def _on_scheduler(self, scheduler: Any, measured: object = None, *_: object, **named: object) -> None:
        # The constructor takes the first step itself, and a scheduler of schedulers steps its parts.
        if getattr(scheduler, "_is_initial", False) or _called_by_scheduler(sys._getframe(1)):
            return
        self._on_scheduler_made(scheduler)
        self._clock.step.event("scheduler")
        waits = isinstance(scheduler, lr_scheduler.ReduceLROnPlateau)
        line = self._lines.note("scheduler", sys._getframe(1)) if self._clock.step.close or waits else ""
        for place, (known, facts) in enumerate(self._schedulers):
            if known() is scheduler:
                facts["steps"] = int(facts["steps"]) + 1  # type: ignore[call-overload]  # a number of ours
                if waits:
                    told = named.get("metrics", measured)
                    self._plateaus[place].stepped(scheduler, told, self._clock.done, line)

    def _on_scale(self, result: object, loss: object) -> None:
        if isinstance(result, Tensor) and isinstance(loss, Tensor) and result is not loss and loss.numel() == 1:
            self._backward.scaled(result, loss)

    def _on_unscale(self) -> None:
        self._clock.step.event("unscale")

    def _on_scaler_begin(self, scaler: Any) -> None:
        self._steps_before = self._clock.done
        scale = getattr(scaler, "_scale", None)
        if isinstance(scale, Tensor):
            self._clock.step.facts["loss_scale"] = number(scale)

    def _on_scaler_end(self, optimizer: Optimizer) -> None:
        if self._clock.done == self._steps_before:
            self._clock.step.facts["skipped"] = True
            self._clock.step.event("step(skipped)")
            self.on_skipped(optimizer)


def _classes_with(method: str) -> Iterator[type]:
    for value in vars(lr_scheduler).values():
        if isinstance(value, type) and issubclass(value, _SCHEDULERS) and method in vars(value):
            yield value


def _called_by_scheduler(frame: Any) -> bool:
    """Whether a scheduler's own code made the call."""
    while frame is not None and frame.f_code.co_filename in OUR_FILES:
        frame = frame.f_back
    return frame is not None and frame.f_code.co_filename == lr_scheduler.__file__
