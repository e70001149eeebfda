"""Compiled regions: they are seen at their boundary only, and that is said."""

from collections.abc import Callable
from typing import Any

import torch
from torch.nn import Module

from stetho.capture.guard import Guard
from stetho.capture.recorder import Recorder
from stetho.capture.torch.forward import Forward
from stetho.capture.torch.models import Models
from stetho.capture.torch.patches import Patches


class Compiled:
    """Follows `torch.compile` and `Module.compile`."""

    def __init__(self, guard: Guard, forward: Forward, models: Models, recorder: Recorder, *, eager: bool) -> None:
        self._forward = forward
        self._models = models
        self._recorder = recorder
        self._eager = eager
        self._about_to = guard.wrap("compile", self._on_compile)
        self._made = guard.wrap("compiled module", self._on_made)
        self._in_place = guard.wrap("compiled in place", self._on_in_place)
        self._undo: list[Callable[[], None]] = []

    def install(self, patches: Patches) -> None:
        """Follow the calls. A program that has compiled already is taken as it is."""
        patches.around(
            torch, "compile", before=lambda *_, **__: self._about_to(), after=lambda made, *_, **__: self._made(made)
        )
        patches.around(
            Module,
            "compile",
            before=lambda *_, **__: self._about_to(),
            after=lambda _, module, *__, **___: self._in_place(module),
        )
        if self._eager:
            torch.compiler.set_stance("force_eager")
            self._undo.append(lambda: torch.compiler.set_stance("default"))

    def adopt(self, model: Module) -> None:
        """A model that may have been compiled before we came."""
        compiled = [module for module in model.modules() if type(module).__name__ == "OptimizedModule"]
        in_place = [module for module in model.modules() if module._compiled_call_impl is not None]
        if not compiled and not in_place:
            return
        self._on_compile()
        for module in compiled:
            self._on_made(module)
        for module in in_place:
            self._on_in_place(module)
        self._recorder.note(
            "compiled before", "the model was compiled before `watch`: hooks inside of it will not fire"
        )

    def remove(self) -> None:
        """Undo what was set."""
        for undo in reversed(self._undo):
            undo()
        self._undo.clear()

    def _on_compile(self) -> None:
        if self._forward.compiled:
            return
        self._forward.keep_hooks_still()
        for model in self._models.all:
            self._forward.watch_layers(model)
        if not self._eager:
            self._recorder.note(
                "compiled", "compiled regions are recorded at their boundary; `--eager` shows the layers inside"
            )

    def _on_made(self, made: object) -> None:
        if isinstance(made, Module) and next(made.parameters(), None) is not None:
            model = self._models.adopt(made)
            model.compiled = not self._eager
            self._forward.watch_entry(made)
            self._forward.watch_layers(model)

    def _on_in_place(self, module: Module) -> None:
        """`Module.compile` swallows the module's own hooks: follow the call around them."""
        model = self._models.adopt(module)
        model.compiled = not self._eager
        compiled: Any = module._compiled_call_impl
        if compiled is None:
            return
        begin, end = self._forward.call_hooks()

        def boundary(*args: Any, **kwargs: Any) -> Any:
            begin(module, args, kwargs)
            result = None
            try:
                result = compiled(*args, **kwargs)
            finally:
                end(module, args, result)
            return result

        module._compiled_call_impl = boundary
        self._undo.append(lambda: setattr(module, "_compiled_call_impl", compiled))
