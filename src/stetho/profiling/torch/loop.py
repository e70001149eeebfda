"""The training loop as the profiler hears it: batches, backward passes, and the moment at which a step is over."""

import functools
import sys
import weakref
from collections.abc import Callable
from time import perf_counter, thread_time
from typing import Any

import torch
from torch import Tensor
from torch._C._profiler import _RecordFunctionFast as Scope
from torch.optim import Optimizer
from torch.optim.optimizer import register_optimizer_step_post_hook, register_optimizer_step_pre_hook
from torch.utils.data import DataLoader
from torch.utils.data.dataloader import _BaseDataLoaderIter
from torch.utils.hooks import RemovableHandle

from stetho.capture.guard import Guard
from stetho.capture.source import line_of, user_frame
from stetho.capture.torch.patches import Patches
from stetho.profiling.events import PHASE
from stetho.profiling.torch.scopes import in_phase
from stetho.profiling.units import Units

Origin = tuple[str, type, int | None]
"""The line at which a loader is begun, and its data set: one function may go through several, one after the other."""


class Loop:
    """Follows loaders, backward passes and optimizers; `on_step` hears of every step that is over."""

    def __init__(self, guard: Guard, units: Units) -> None:
        self._guard = guard
        self._units = units
        self._handles: list[RemovableHandle] = []
        self._running: list[int] = []
        self._updates = 0
        self.optimizers: list[weakref.ref[Optimizer]] = []
        self.loader: Any = None
        """The loader that feeds the training; held, for a program may make a new one for each epoch."""
        self.loader_line = ""
        self._latest: tuple[Any, str] | None = None
        self._origins: weakref.WeakKeyDictionary[Any, Origin] = weakref.WeakKeyDictionary()
        self.data_seconds = 0.0
        self.data_processor = 0.0
        self.is_unusual = False
        """Whether a loader was begun in this step: workers start then, and an evaluation may have been made."""
        self.substitute: Callable[[], Any] | None = None
        """Gives batches in the place of the loader that feeds the training, while a trial is on."""
        self.last_batch: Any = None
        self.keeps_batch = False
        self.samples = 0
        """How many came in this step, where batches are kept."""
        self.on_step: Callable[[], None] = lambda: None
        self._is_substituted = False
        self._are_steps_told = False
        self._is_aside = False

    def install(self, patches: Patches) -> None:
        """Follow them all."""
        began = self._guard.wrap("loader begin", self._on_loader)
        patches.around(DataLoader, "__iter__", after=lambda iterator, loader: began(loader, iterator))
        patches.replace(_BaseDataLoaderIter, "__next__", self._next_batch)
        back = self._guard.wrap("backward end", self._on_backward)
        for name in ("backward", "grad"):
            patches.replace(torch.autograd, name, functools.partial(self._backward, back))
        self._begin = self._guard.wrap("update begin", self._on_begin)
        self._end = self._guard.wrap("update end", self._on_end)
        self._follow_updates()
        patches.around(Optimizer, "__init__", after=lambda *_, **__: self._on_made())
        scaled = self._guard.wrap("scaler step", self._on_scaler)
        patches.replace(torch.amp.GradScaler, "step", functools.partial(self._scaler_step, scaled))

    def steps_are_told(self) -> None:
        """Others know when a step is over: nobody is told by us."""
        self._are_steps_told = True
        self.on_step = lambda: None

    def stand_aside(self) -> None:
        """Leave alone whatever is not needed to time whole steps: in a step of half a millisecond all this shows."""
        self._is_aside = True
        if self._are_steps_told:
            self._forget_updates()

    def come_back(self) -> None:
        """Follow everything again."""
        self._is_aside = False
        if not self._handles:
            self._follow_updates()

    def _follow_updates(self) -> None:
        self._handles = [register_optimizer_step_pre_hook(self._begin), register_optimizer_step_post_hook(self._end)]

    def _forget_updates(self) -> None:
        for handle in self._handles:
            handle.remove()
        self._handles = []

    def _backward(self, done: Callable[[], object], original: Callable[..., Any]) -> Callable[..., Any]:
        scoped = in_phase("backward", original, done)

        @functools.wraps(original)
        def backward(*args: Any, **kwargs: Any) -> Any:
            if not self._is_aside:
                return scoped(*args, **kwargs)
            result = original(*args, **kwargs)
            if not self._are_steps_told:
                done()
            return result

        return backward

    def remove(self) -> None:
        """Stop following."""
        self._forget_updates()
        self.substitute = self.last_batch = self._latest = None

    def _next_batch(self, original: Callable[..., Any]) -> Callable[..., Any]:
        came = self._guard.wrap("batch", self._on_batch)

        @functools.wraps(original)
        def following(iterator: Any) -> Any:
            if self._is_substituted:
                return original(iterator)  # the loader of a trial: counted where it stands in for the program's
            started, processor = perf_counter(), thread_time()
            with Scope(f"{PHASE}data"):
                substitute = self.substitute
                if substitute is not None and self._feeds_training(iterator):
                    self._is_substituted = True
                    try:
                        batch = substitute()
                    finally:
                        self._is_substituted = False
                else:
                    batch = original(iterator)
            self.data_seconds += perf_counter() - started
            self.data_processor += thread_time() - processor
            if self.keeps_batch and self._feeds_training(iterator):
                came(batch)
            return batch

        return following

    def _on_batch(self, batch: Any) -> None:
        self.last_batch = batch
        self.samples += batch_length(batch) or 0

    def _feeds_training(self, iterator: Any) -> bool:
        return self.loader is not None and self._origins.get(iterator) == _origin(self.loader, self.loader_line)

    def _on_loader(self, loader: Any, iterator: Any) -> None:
        self.is_unusual = True
        line = str(line_of(user_frame(sys._getframe(1))) or "")
        self._origins[iterator] = _origin(loader, line)
        self._latest = loader, line

    def _on_made(self) -> None:
        self._units.expected += 1

    def _on_begin(self, optimizer: Optimizer, _args: object, _kwargs: object) -> None:
        if id(optimizer) in self._running:  # its last step was left by an error
            del self._running[self._running.index(id(optimizer)) :]
        self._running.append(id(optimizer))
        if all(known() is not optimizer for known in self.optimizers):
            self.optimizers.append(weakref.ref(optimizer))

    def _on_end(self, optimizer: Optimizer, _args: object, _kwargs: object) -> None:
        if not self._running:
            return  # the `step` of a subclass, which called that of its base class
        while self._running and self._running.pop() != id(optimizer):
            pass
        # An optimizer may step another one inside; the outermost step counts.
        if not self._running:
            self._update(optimizer)

    def _update(self, optimizer: Optimizer) -> None:
        self._updates += 1
        if self._latest is not None and self.loader is None:
            self.loader, self.loader_line = self._latest
        if self._units.updated(id(optimizer)):
            self.on_step()

    def _on_backward(self) -> None:
        if self._units.went_back():
            self.on_step()

    def _scaler_step(self, done: Callable[..., object], original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def step(scaler: Any, optimizer: Optimizer, *args: Any, **kwargs: Any) -> Any:
            before = self._updates
            result = original(scaler, optimizer, *args, **kwargs)
            done(optimizer, before)
            return result

        return step

    def _on_scaler(self, optimizer: Optimizer, before: int) -> None:
        if self._updates == before:  # the gradients were not finite, and the update was left out
            self._update(optimizer)


def batch_length(batch: Any) -> int | None:
    """The number of samples of a batch: the first dimension of the first tensor in it that has one.

    >>> batch_length({"x": torch.zeros(3, 2)})
    3
    """
    if isinstance(batch, Tensor):
        return int(batch.shape[0]) if batch.dim() else None
    inside = batch.values() if hasattr(batch, "values") else batch if isinstance(batch, (list, tuple)) else ()
    return next((length for each in inside if (length := batch_length(each)) is not None), None)


def _origin(loader: Any, line: str) -> Origin:
    try:
        length = len(loader.dataset)
    except Exception:  # the user's own method, which may do anything
        length = None
    return line, type(loader.dataset), length
