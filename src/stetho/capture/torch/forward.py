"""Forward passes: which module was called from outside, in which phase, and what every layer in it gave back.

Layers are seen through forward hooks, their gradients through hooks on the output tensors (never a full backward hook:
that one changes gradients bitwise). Hooks are there only in the passes that are measured.
"""

import functools
import sys
from collections.abc import Callable
from fnmatch import fnmatchcase
from threading import get_ident
from time import perf_counter

import torch
from torch import Tensor
from torch.nn import Module
from torch.nn.modules.module import register_module_forward_hook, register_module_forward_pre_hook
from torch.utils.hooks import RemovableHandle

from stetho.capture.guard import Guard
from stetho.capture.source import line_of, user_frame
from stetho.capture.step import Clock
from stetho.capture.torch.activations import Activations, Span
from stetho.capture.torch.batches import Batches
from stetho.capture.torch.edges import Edges
from stetho.capture.torch.histograms import Histograms
from stetho.capture.torch.leaves import first_tensor, tensor_leaves
from stetho.capture.torch.models import Layer, Model, Models, describe
from stetho.config import Options
from stetho.records import Phase
from stetho.stats.torch_kernel import measure

HOOK_SECONDS = 3e-6
"""What the framework spends on calling a pair of our hooks; it happens outside of our own timers."""

Look = Callable[[Layer, str, str, Tensor], None]
"""Somebody who wants to see tensors of layers: layer, path in the output, role, tensor."""


class Pass(Span):
    """One call of a model from outside."""

    __slots__ = (
        "called",
        "edges",
        "entry",
        "entry_seen",
        "full",
        "grad",
        "model",
        "ours_before",
        "started",
        "training",
    )

    def __init__(self, model: Model, entry: Layer, called: Module, grad: bool) -> None:
        self.training = called.training
        self.phase: Phase = "train" if grad and self.training else "eval"
        self.model = model
        self.entry = entry
        self.called = id(called)
        self.grad = grad
        self.full = False
        self.entry_seen = False
        self.edges: Edges | None = None
        self.started = perf_counter()
        self.ours_before = 0.0


class Forward:
    """Follows the program's calls of its models."""

    def __init__(
        self,
        guard: Guard,
        clock: Clock,
        models: Models,
        activations: Activations,
        histograms: Histograms,
        batches: Batches,
        options: Options,
    ) -> None:
        self._guard = guard
        self._clock = clock
        self._models = models
        self._activations = activations
        self._batches = batches
        self._histograms = histograms
        self._patterns = options.layers
        self._gradients = options.gradients == "all"
        self.looks: list[Look] = []
        self.on_train: Callable[[], None] = lambda: None
        self.current: Pass | None = None
        self.in_backward = False
        self.compiled = False
        self.eval_passes = 0
        self._thread: int | None = None
        self._entries: dict[int, list[RemovableHandle]] = {}
        self._armed: list[RemovableHandle] = []
        self._last: tuple[Tensor, object] | None = None
        self._enter = _pre_hook(guard.wrap("layer call", self._on_enter))
        self._leave = _post_hook(guard.wrap("layer output", self._on_leave))
        self._begin = _post_hook(guard.wrap("forward begin", self._on_begin))
        self._end = _post_hook(guard.wrap("forward end", self._on_end))
        self._gradient = guard.wrap("layer gradient", self._on_gradient)
        self._used = guard.wrap("forward used", self._on_used)

    # ---- hooks on and off

    def watch_entry(self, module: Module) -> None:
        """Follow every call of a module that is called from outside."""
        if id(module) in self._entries:
            return
        self._entries[id(module)] = [
            module.register_forward_pre_hook(self._begin, with_kwargs=True),
            module.register_forward_hook(self._end, always_call=True),
        ]

    def arm(self) -> None:
        """Look at every layer from now on."""
        if not self._armed and not self.compiled:
            self._armed = [
                register_module_forward_pre_hook(self._enter),
                register_module_forward_hook(self._leave),
            ]

    def disarm(self) -> None:
        """Look at calls from outside only."""
        for handle in self._armed:
            handle.remove()
        self._armed = []

    def keep_hooks_still(self) -> None:
        """The program compiles: hooks that come and go would make it compile again, so each layer keeps its own."""
        self.disarm()
        self.compiled = True

    def watch_layers(self, model: Model) -> None:
        """Hooks on the single layers of a model, for programs that compile."""
        top = model.ref()
        for module in top.modules() if top is not None else ():
            if id(module) not in self._entries:
                self._entries[id(module)] = [
                    module.register_forward_pre_hook(self._enter),
                    module.register_forward_hook(self._leave),
                ]

    def call_hooks(self) -> tuple[Callable[..., None], Callable[..., None]]:
        """What to call before and after a call from outside that no hook can see."""
        return self._begin, self._end

    def remove(self) -> None:
        """Take every hook away."""
        self.disarm()
        for handles in self._entries.values():
            for handle in handles:
                handle.remove()
        self._entries.clear()
        self.current = None
        self._last = None

    # ---- passes

    def _on_begin(self, module: Module, args: tuple[object, ...], kwargs: dict[str, object]) -> None:
        running = self.current
        if (running is not None and running.called != id(module)) or self._foreign():
            return
        layer = self._models.entry(module)
        if layer is not None:
            self._start(layer, module, args, kwargs)

    def _start(self, layer: Layer, module: Module, args: tuple[object, ...], kwargs: dict[str, object]) -> None:
        step = self._clock.step
        begun = Pass(self._models.all[layer.model], layer, module, torch.is_grad_enabled())
        if begun.phase == "train":
            self.on_train()
            step = self._clock.step
            self.eval_passes = 0
            begun.full = step.tier == "full"
        else:
            self.eval_passes += 1
            begun.full = step.tier == "full" and self.eval_passes == 1
        if begun.full and begun.grad and not begun.model.edges:
            begun.edges = Edges()
        self.current = begun
        layer.calls += 1
        if layer.called is None:
            layer.called = line_of(user_frame(sys._getframe(2)))
        if begun.full or self.looks:
            self.arm()
        self._batches.open(begun.model.id, begun, args, kwargs)
        begun.ours_before, begun.started = self._guard.so_far(), perf_counter()

    def _on_end(self, module: Module, _args: object, output: object) -> None:
        done = self.current
        if done is None or done.called != id(module):
            return
        if done.full and not done.entry_seen:
            self._look_at(done.entry, module, output, done)
        self.current = None
        self._last = None
        step = self._clock.step
        took = perf_counter() - done.started - (self._guard.seconds - done.ours_before)
        if done.grad:
            step.took("forward", took)
            step.forwards += 1
            step.event("forward" if done.phase == "train" else "forward(eval)")
        if done.phase == "eval" and done.grad:
            self._follow(output, done)
        if done.edges is not None:
            done.model.edges |= done.edges.found
        if not done.grad:
            self._activations.flush(self._clock.done)
            step.eval_ours += self._guard.seconds - done.ours_before
        if step.tier != "full" and self._clock.done > 0:
            self.disarm()

    def _follow(self, output: object, done: Pass) -> None:
        """A pass in eval mode with gradients on is training all the same if a backward pass comes through it."""
        tensor = first_tensor(output)
        if tensor is not None and tensor.requires_grad and tensor.grad_fn is not None:
            _on_grad(tensor, functools.partial(_ignore_result, self._used, done))

    def _on_used(self, done: Pass, _gradient: Tensor) -> None:
        done.phase = "train"
        self.eval_passes = 0
        self._batches.became_train(done)

    def _foreign(self) -> bool:
        """Whether a call is none of ours: another thread, a recomputation, a tracer, a function transform."""
        if self._thread is None:
            self._thread = get_ident()
        return (
            self.in_backward
            or get_ident() != self._thread
            or torch._C._get_tracing_state() is not None
            or torch._C._functorch.peek_interpreter_stack() is not None
        )

    # ---- layers

    def _on_enter(self, module: Module, args: tuple[object, ...]) -> None:
        running = self.current
        if running is None:
            known = id(module) in self._entries
            if not known and not self.compiled and next(module.parameters(), None) is not None and not self._foreign():
                self._discover(module, args)
            return
        layer = self._models.layer(module)
        if layer is None:
            self._models.refresh(running.model)
            layer = self._models.layer(module) or self._models.adopt_foreign(module, running.model)
        if layer.called is None:
            layer.called = line_of(user_frame(sys._getframe(2)))
        if running.edges is not None and not module._modules:
            for _, tensor in tensor_leaves(args):
                running.edges.consumed(layer.name, tensor)

    def _discover(self, module: Module, args: tuple[object, ...]) -> None:
        frame = user_frame(sys._getframe(3))
        layer = self._models.entry(module, frame)
        if layer is not None:
            self.watch_entry(module)
            self._start(layer, module, args, {})

    def _on_leave(self, module: Module, _args: object, output: object) -> None:
        running = self.current
        if running is None:
            return
        self._guard.seconds += HOOK_SECONDS
        layer = self._models.layer(module) or (self._models.entry(module) if self.compiled else None)
        if layer is None:
            return
        if layer is running.entry:
            running.entry_seen = True
        else:
            layer.calls += 1
        if running.full or self.looks:
            self._look_at(layer, module, output, running)

    def _look_at(self, layer: Layer, module: Module, output: object, running: Pass) -> None:
        leaf = not module._modules
        for path, tensor in tensor_leaves(output) if type(output) is not Tensor else (("", output),):
            if not (tensor.is_floating_point() or tensor.is_complex()):
                continue
            if layer.output is None and path == "":
                layer.output = describe(tensor)
            for look in self.looks:
                look(layer, path, "act", tensor)
            if running.edges is not None and leaf:
                running.edges.produced(layer.name, tensor)
            if running.full and self._wanted(layer.name):
                self._measure(layer, path, tensor, running)

    def _measure(self, layer: Layer, path: str, tensor: Tensor, running: Pass) -> None:
        last = self._last
        # A container gives back what its last layer gave: the tensor is measured once and recorded under both names.
        measured = last[1] if last is not None and last[0] is tensor else measure(tensor)
        self._last = (tensor, measured)
        self._activations.add(layer, path, "act", running, measured)  # type: ignore[arg-type]  # measured is what measure gave
        if self._histograms.due:
            self._histograms.add(layer, path, "act", running, tensor)
        if self._gradients and running.grad and tensor.requires_grad and tensor.grad_fn is not None:
            hook = functools.partial(_ignore_result, self._gradient, layer, path, running)
            _on_grad(tensor, hook)

    def _on_gradient(self, layer: Layer, path: str, running: Pass, gradient: Tensor) -> None:
        self._guard.seconds += HOOK_SECONDS
        for look in self.looks:
            look(layer, path, "act_grad", gradient)
        self._activations.add(layer, path, "act_grad", running, measure(gradient))
        if self._histograms.due:
            self._histograms.add(layer, path, "act_grad", running, gradient)

    @functools.cache  # noqa: B019  # one Forward lives as long as the watch, and names are few
    def _wanted(self, name: str) -> bool:
        return any(fnmatchcase(name, pattern) for pattern in self._patterns)


def _on_grad(tensor: Tensor, hook: Callable[[Tensor], None]) -> None:
    tensor.register_hook(hook)  # type: ignore[no-untyped-call]


def _ignore_result(function: Callable[..., object], *args: object) -> None:
    """A tensor hook that returns something would replace the gradient."""
    function(*args)


def _pre_hook(function: Callable[..., object]) -> Callable[..., None]:
    """A hook of two arguments that a compiler sees as empty, so that its graph stays what it is without us."""

    def hook(module: Module, args: object) -> None:
        if not torch.compiler.is_compiling():
            function(module, args)

    return hook


def _post_hook(function: Callable[..., object]) -> Callable[..., None]:
    """The same with three: a forward hook, or a pre-hook with keyword arguments."""

    def hook(module: Module, args: object, third: object) -> None:
        if not torch.compiler.is_compiling():
            function(module, args, third)

    return hook
