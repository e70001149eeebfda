"""Compiled regions: they are seen at their boundary only, and that is said."""

import functools
import gc
import sys
import weakref
from collections.abc import Callable
from typing import Any

import torch
from torch.nn import Module

from stetho.capture.guard import Guard
from stetho.capture.recorder import Recorder
from stetho.capture.torch.calls.forward import Forward
from stetho.capture.torch.models.models import Models, unwrapped
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
        self.apart: Callable[[Any, Any], Any] = lambda compiled, _: compiled
        """Keeps what was compiled away from what follows the operations around it."""

    def install(self, patches: Patches) -> None:
        """Follow the calls. A program that has compiled already is taken as it is."""
        patches.replace(torch, "compile", self._compiling)
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
        compiled = [*_wrappers_of(model), *(each for each in model.modules() if _is_compiled(each))]
        in_place = [each for each in model.modules() if each._compiled_call_impl is not None]
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

    def _compiling(self, original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def compile(*args: Any, **kwargs: Any) -> Any:
            self._about_to()
            made = original(*args, **kwargs)
            return self._made(made) or made

        return compile

    def _on_compile(self) -> None:
        if self._forward.compiled:
            return
        self._forward.keep_hooks_still(at_boundary=not self._eager)
        for model in self._models.all:
            self._forward.watch_layers(model)
        if not self._eager:
            self._recorder.note(
                "compiled", "compiled regions are recorded at their boundary; `--eager` shows the layers inside"
            )

    def _on_made(self, made: Any) -> Any:
        """What stands for a function that was compiled; modules are followed as they are."""
        original = getattr(made, "_torchdynamo_orig_callable", None)
        if not isinstance(made, Module):
            # Without a function it is a decorator, which will come here once more; `Module.compile` is followed itself.
            is_ready = original is not None and getattr(original, "__name__", "") != "_call_impl"
            return self.apart(made, original) if is_ready else None
        if next(made.parameters(), None) is None:
            if _is_compiled(made):
                made.forward = self.apart(made.forward, unwrapped(made).__call__)
            return None
        inner = unwrapped(made)
        model = self._models.model_of(inner)
        if model.ref() is inner:
            model = self._models.adopt(made)
        model.compiled = not self._eager
        self._forward.watch_entry(made)
        self._forward.watch_layers(model)
        return None

    def _on_in_place(self, module: Module) -> None:
        """`Module.compile` swallows the module's own hooks: follow the call around them."""
        compiled: Any = module._compiled_call_impl
        if compiled is None:
            return
        if next(module.parameters(), None) is None:
            module._compiled_call_impl = self.apart(compiled, module._call_impl)
            return
        self._models.model_of(module).compiled = not self._eager
        begin, end = self._forward.around

        @functools.wraps(compiled)
        def boundary(*args: Any, **kwargs: Any) -> Any:
            begin(module, args, kwargs)
            result = None
            try:
                result = compiled(*args, **kwargs)
            finally:
                end(module, args, result)
            return result

        module._compiled_call_impl = boundary
        self._undo.append(functools.partial(_uncover, weakref.ref(module), weakref.ref(boundary)))


def _uncover(module: weakref.ref[Module], boundary: weakref.ref[Any]) -> None:
    """Put back what was compiled, unless the module is gone or was compiled again."""
    alive: Any = module()
    ours: Any = boundary()
    if alive is not None and ours is not None and alive._compiled_call_impl is ours:
        alive._compiled_call_impl = ours.__wrapped__


def _is_compiled(module: Module) -> bool:
    return type(module).__name__ == "OptimizedModule"


def _wrappers_of(model: Module) -> list[Module]:
    """What `torch.compile` made of a model that is given to us as it was."""
    kind = getattr(sys.modules.get("torch._dynamo.eval_frame"), "OptimizedModule", None)
    # Nothing but the memory knows of it; there is something to look for only in a program that has compiled.
    found = gc.get_referrers(kind) if kind is not None else []
    return [each for each in found if type(each) is kind and unwrapped(each) is model and each is not model]
