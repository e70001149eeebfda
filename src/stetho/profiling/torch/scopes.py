"""Scopes around the calls of layers and around the phases of a step, visible in the framework's own time line."""

import functools
import sys
import weakref
from collections.abc import Callable
from threading import get_ident
from typing import Any

import torch
from torch._C._profiler import _RecordFunctionFast as Scope
from torch.nn import Module
from torch.nn.modules.module import register_module_forward_hook, register_module_forward_pre_hook
from torch.utils.hooks import RemovableHandle

from stetho.capture.guard import Guard
from stetho.capture.source import user_frame
from stetho.capture.torch.calls.passes import is_transformed
from stetho.capture.torch.models.ancestry import Ancestry
from stetho.capture.torch.models.models import Models, is_wrapper
from stetho.capture.torch.patches import Patches
from stetho.profiling.events import LAYER, PHASE
from stetho.profiling.records import Layer


class Scopes:
    """The layers that the program calls, numbered in the order of their first calls."""

    def __init__(self, guard: Guard) -> None:
        self._ancestry = Ancestry(guard)
        self.models = Models(self._ancestry)
        self._numbers: dict[int, tuple[weakref.ref[Module], int]] = {}
        self._found: list[tuple[int, str, str]] = []
        self._stack: list[tuple[int, int, Any]] = []
        self._thread: int | None = None
        self._hooks: list[RemovableHandle] = []
        self._own_hooks: list[RemovableHandle] = []
        self.is_armed = False
        self.is_compiled = False
        self.calls = 0
        self._enter = guard.wrap("layer call", self._on_enter)
        self._leave = guard.wrap("layer output", self._on_leave)

    def install(self, patches: Patches) -> None:
        """Learn how models are built and compiled."""
        self._ancestry.install(patches)
        patches.around(torch, "compile", before=self._on_compile, after=lambda made, *_, **__: self._watch(made))
        patches.around(Module, "compile", before=self._on_compile)

    def arm(self) -> None:
        """Make a scope of every call from now on."""
        self.is_armed = True
        if not self._hooks and not self.is_compiled:
            self._hooks = [
                register_module_forward_pre_hook(self._before),
                register_module_forward_hook(self._after, always_call=True),
            ]

    def disarm(self) -> None:
        """Leave calls alone."""
        self.is_armed = False
        for handle in self._hooks:
            handle.remove()
        self._hooks = []
        self._stack.clear()

    def remove(self) -> None:
        """Take everything away."""
        self.disarm()
        for handle in self._own_hooks:
            handle.remove()
        self._ancestry.remove()

    @property
    def current(self) -> int | None:
        """The number of the layer that is running."""
        return self._stack[-1][1] if self._stack else None

    def layers(self) -> list[Layer]:
        """The layers by their numbers; those of several models have the name of their model before their own."""
        trained = {model.id for model in self.models.all if model.weights}
        result = []
        for model, name, kind in self._found:
            label = self.models.all[model].label
            is_plain = name and trained == {model}
            result.append(Layer(name if is_plain else f"{label}.{name}" if name else label, kind))
        return result

    def number_of(self, model: int, name: str) -> int | None:
        """The number of a layer, by its model and name."""
        return next((n for n, found in enumerate(self._found) if found[:2] == (model, name)), None)

    def _before(self, module: Module, _args: object) -> None:
        self._enter(module)

    def _after(self, module: Module, _args: object, _output: object) -> None:
        self._leave(module)

    def _on_enter(self, module: Module) -> None:
        if not self.is_armed or self._is_foreign():
            return
        number = self._number(module)
        scope = Scope(f"{LAYER}{number}") if number is not None else None
        if scope is not None:
            scope.__enter__()
            self.calls += 1
        self._stack.append((id(module), -1 if number is None else number, scope))

    def _on_leave(self, module: Module) -> None:
        if self._stack and self._stack[-1][0] == id(module) and not self._is_foreign():
            scope = self._stack.pop()[2]
            if scope is not None:
                scope.__exit__(None, None, None)

    def _is_foreign(self) -> bool:
        """Whether a call is none of the program's own thread, or made by a tracer."""
        if self._thread is None:
            self._thread = get_ident()
        return get_ident() != self._thread or is_transformed()

    def _number(self, module: Module) -> int | None:
        known = self._numbers.get(id(module))
        if known is not None and known[0]() is module:
            return known[1]
        if is_wrapper(module) and not self.is_compiled:
            return None
        layer = self.models.layer(module)
        if layer is None and self._stack and self._found:
            running = self.models.all[self._found[self._stack[-1][1]][0]]
            self.models.refresh(running)
            layer = self.models.layer(module) or self.models.adopt_foreign(module, running)
        elif layer is None:
            layer = self.models.entry(module, user_frame(sys._getframe(1)))
        if layer is None:
            return None
        number = self.number_of(layer.model, layer.name)
        if number is None:
            number = len(self._found)
            self._found.append((layer.model, layer.name, layer.kind))
        self._numbers[id(module)] = (weakref.ref(module), number)
        return number

    # ---- programs that compile: hooks inside of compiled code would be compiled too

    def _on_compile(self, *_: object, **__: object) -> None:
        was_armed = self.is_armed
        self.disarm()
        self.is_armed, self.is_compiled = was_armed, True

    def _watch(self, made: object) -> None:
        if isinstance(made, Module):
            self._own_hooks += [
                made.register_forward_pre_hook(self._before),
                made.register_forward_hook(self._after, always_call=True),
            ]


def in_phase(name: str, original: Callable[..., Any], done: Callable[[], object]) -> Callable[..., Any]:
    """A function with the scope of a phase around it; `done` hears of its end."""

    @functools.wraps(original)
    def scoped(*args: Any, **kwargs: Any) -> Any:
        with Scope(f"{PHASE}{name}"):
            result = original(*args, **kwargs)
        done()
        return result

    return scoped
