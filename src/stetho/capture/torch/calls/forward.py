"""Forward passes: which module was called from outside, in which phase, and what every layer in it gave back.

Layers are seen through forward hooks, their gradients through hooks on the output tensors (never a full backward hook:
that one changes gradients bitwise). Hooks are there only in the passes that are measured.
"""

import functools
import sys
from collections.abc import Callable
from time import perf_counter
from types import FrameType

import torch
from torch import Tensor
from torch.nn import Module
from torch.nn.utils.parametrize import ParametrizationList

from stetho.capture.guard import Guard
from stetho.capture.source import line_of, user_frame
from stetho.capture.step import Clock
from stetho.capture.torch.calls.activations import Activations
from stetho.capture.torch.calls.carried import RECURRENT, CarriedStates
from stetho.capture.torch.calls.entries import Entries
from stetho.capture.torch.calls.layer_hooks import LayerHooks
from stetho.capture.torch.calls.layers import HOOK_SECONDS, Layers, ignoring_result, on_gradient, post_hook
from stetho.capture.torch.calls.leaves import first_tensor
from stetho.capture.torch.calls.lookups import EMBEDDINGS, Lookups
from stetho.capture.torch.calls.module_hooks import ModuleHooks
from stetho.capture.torch.calls.passes import Pass, is_transformed
from stetho.capture.torch.calls.usual import Usual
from stetho.capture.torch.feed.batches import Batches
from stetho.capture.torch.models.edges import Edges
from stetho.capture.torch.models.models import Layer, Models, is_wrapper, unwrapped
from stetho.capture.torch.patches import Patches

FOLLOWED = (*RECURRENT, *EMBEDDINGS)


class Forward:
    """Follows the program's calls of its models."""

    def __init__(
        self,
        guard: Guard,
        clock: Clock,
        models: Models,
        layers: Layers,
        activations: Activations,
        batches: Batches,
    ) -> None:
        self._guard = guard
        self._clock = clock
        self._models = models
        self._activations = activations
        self._batches = batches
        self._layers = layers
        self._states = CarriedStates()
        self._lookups, self._usual = Lookups(), Usual()
        self.on_output: Callable[[Pass, object, object], None] = lambda _, __, ___: None
        self.on_train: Callable[[], None] = lambda: None
        self.on_trained: Callable[[Pass, object, object], None] = lambda _, __, ___: None
        self.on_found: Callable[[Module], None] = lambda _: None
        self.on_call: Callable[[Module, Pass, object, object, FrameType], None] = lambda *_: None
        self.on_evaluated: Callable[[int, Module, int], None] = lambda *_: None
        self.on_begun: Callable[..., None] = lambda *_, **__: None
        self.on_result: Callable[[Pass, object], None] = lambda *_: None
        self.current: Pass | None = None
        self.in_backward = False
        self.compiled = False
        self.at_boundary = False
        self.eval_passes = 0
        self._last_entry: Layer | None = None
        self._last_revision = -1
        around = guard.wrap("forward begin", self._on_begin), guard.wrap("forward end", self._on_end, naps=True)
        self.hooks = LayerHooks(guard, models, layers, self._on_enter, self._on_leave, around)
        self.arm, self.disarm = self.hooks.arm, self.hooks.disarm
        self.around = post_hook(around[0]), post_hook(around[1])  # also for calls that no hook can see
        self._single = ModuleHooks(self.around, (self.hooks.enter, self.hooks.leave))
        self._entries = Entries(self.hooks, self._single)
        self.watch_entry, self.watch_layers = self._entries.watch, self._single.watch_layers
        self._used = guard.wrap("forward used", self._on_used, naps=True)

    # ---- hooks on and off

    def install(self, patches: Patches) -> None:
        """Follow the calls of layers; keep our hooks to ourselves."""
        self.hooks.install(patches)
        self._single.install(patches)

    def keep_hooks_still(self, *, at_boundary: bool) -> None:
        """The program compiles: hooks that come and go would make it compile again, so each layer keeps its own."""
        self._entries.stay_away()
        self.compiled = True
        self.at_boundary = at_boundary

    def remove(self) -> None:
        """Take every hook away."""
        self.hooks.remove()
        self._single.remove()
        if self.current is not None:
            self.current.edges = None
        self.current = None
        self._layers.forget()
        self._states.clear()

    # ---- passes

    def _on_begin(self, module: Module, args: tuple[object, ...], kwargs: dict[str, object]) -> bool:
        """A module is called that may be called from outside; whether a pass begins with that."""
        running, asleep = self.current, self._guard.asleep
        if running is not None and running.called != id(module):
            if self.compiled:
                self._on_enter(module, args)
            return False
        is_training = module.training and torch.is_grad_enabled()
        if (asleep and is_training) or self._foreign():
            return False
        is_usual = not is_training and self._usual.comes(sys._getframe(1), args, kwargs, self._clock.done)
        if asleep and is_usual:
            return False
        if asleep:
            self._clock.wake()  # evaluations are rare, and what they say is wanted
        layer = self._last_entry  # mostly the same as last time
        if layer is None or layer.ref() is not module or self._last_revision != self._models.revision:
            layer = self._last_entry = self._models.entry(module)
            self._last_revision = self._models.revision
        if layer is not None:
            self._start(layer, module, args, kwargs)
        return layer is not None

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
            self.on_evaluated(begun.model.id, module, self._clock.done)
        self.on_begun(begun.model.id, module, args, kwargs, self._clock.done, has_gradients=begun.grad)
        if begun.full and begun.grad and not begun.model.edges:
            begun.edges = Edges(args, kwargs)
        self.current = begun
        layer.calls += 1
        caller = user_frame(sys._getframe(1))
        begun.place = (caller.f_code.co_filename, caller.f_lineno) if caller is not None else None
        if layer.called is None:
            layer.called = line_of(caller)
        if begun.phase == "eval" and caller is not None and begun.place in self._batches.trained_at:
            # One function for both: who called it says which.
            self._batches.evaluated_for(line_of(user_frame(caller.f_back)))
        if begun.full or self._layers.looks:
            begun.followed = True
            self.hooks.begin(begun)
        if isinstance(module, FOLLOWED):
            self._follow_state(layer, module, args)
        self._batches.open(begun.model.id, begun, args, kwargs)
        if step.kept or not begun.grad:
            self.on_call(module, begun, args, kwargs, sys._getframe(1))
        begun.ours_before, begun.started = self._guard.so_far(), perf_counter()

    def _on_end(self, module: Module, args: object, output: object) -> None:
        done = self.current
        if done is None or done.called != id(module) or self._clock.is_elsewhere(claims=False):
            if self.compiled:
                self._on_leave(module, args, output)
            return
        if (done.full or self._layers.looks) and not done.entry_seen:
            self._look_at_entry(done, module, output)
        if done.followed:
            self.hooks.end()
            self._layers.forget()
            self.hooks.take_seconds()
        self.current = None
        if done.edges is not None:
            done.model.edges.update(done.edges.found)
            # It holds nodes of the graph, and hooks on the graph hold the pass: nobody could free that circle.
            done.edges = None
        step = self._clock.step
        took = perf_counter() - done.started - (self._guard.so_far() - done.ours_before)
        if done.grad:
            step.forward_seconds += took
            step.forwards += 1
            step.event("forward" if done.phase == "train" else "forward(eval)")
        is_open = self._batches.is_open
        if done.phase == "eval" and done.grad:
            self._follow(output, done)
        elif done.grad and step.tier != "clock" and (is_open or self._clock.is_slow):
            self.on_trained(done, args, output)
        if done.grad and step.close:
            self.on_output(done, args, output)
        if is_open:
            self._batches.output(done, output)
        if not done.grad:
            self._activations.flush(self._clock.done, done)
            step.other_ours += self._guard.so_far() - done.ours_before
        if self.hooks.armed and step.tier != "full" and step.number > 1 and not self._layers.looks:
            self.disarm()
        if step.kept or not done.grad:
            self.on_result(done, output)

    def _look_at_entry(self, done: Pass, module: Module, output: object) -> None:
        if self.hooks.see(module, output):
            return
        self._layers.look(done.entry, module, output, done)
        if self._models.layer(module) is done.entry and self._entries.have(module):
            self.hooks.know(module, done.entry, is_entry=True)

    def _follow(self, output: object, done: Pass) -> None:
        """A pass in eval mode with gradients on is training all the same if a backward pass comes through it."""
        tensor = first_tensor(output)
        if tensor is not None and tensor.requires_grad and tensor.grad_fn is not None:
            on_gradient(tensor, functools.partial(ignoring_result, self._used, done))

    def _on_used(self, done: Pass, _gradient: Tensor) -> None:
        done.phase = "train"
        self.eval_passes = 0
        self._batches.became_train(done)

    def _foreign(self) -> bool:
        """Whether a call is none of ours: another thread, a recomputation, a tracer, a function transform."""
        # Who acts while another one learns has no gradients, and may well come first.
        return self.in_backward or self._clock.is_elsewhere(claims=torch.is_grad_enabled()) or is_transformed()

    # ---- layers

    def _on_enter(self, module: Module, args: tuple[object, ...]) -> None:
        running = self.current
        if running is None:
            if self._is_model(module) and not self.compiled and not self._entries.have(module) and not self._foreign():
                self._discover(module, args)
            return
        if self._clock.is_elsewhere(claims=False):
            return
        layer = self._layer_of(module)
        if layer is None:
            if is_wrapper(module):
                return
            self._models.refresh(running.model)
            layer = self._models.layer(module) or self._models.adopt_foreign(module, running.model)
        if layer.called is None:
            layer.called = line_of(user_frame(sys._getframe(1)))
        if isinstance(module, FOLLOWED):
            self._follow_state(layer, module, args)
        if running.edges is not None:
            running.edges.entered(layer, module, args)

    @staticmethod
    def _is_model(module: Module) -> bool:
        """Whether to call it is to ask a model: who reads a weight that is computed calls a module, too."""
        return next(module.parameters(), None) is not None and not isinstance(module, ParametrizationList)

    def _follow_state(self, layer: Layer, module: Module, args: tuple[object, ...]) -> None:
        if not self._is_closely_trained():
            return
        if isinstance(module, EMBEDDINGS):
            self._lookups.entered(layer, module, args)
        else:
            self._states.entered(layer, module, args, self._clock.step.number)

    def _is_closely_trained(self) -> bool:
        return self.current is not None and self.current.full and self.current.phase == "train"

    def _layer_of(self, module: Module) -> Layer | None:
        """The layer that a module is; a compiled one stands for the module inside of it, whose hooks do not fire."""
        known = self._models.layer(module)
        return known if known is not None or not self.at_boundary else self._models.layer(unwrapped(module))

    def _discover(self, module: Module, args: tuple[object, ...]) -> None:
        layer = self._models.entry(module, user_frame(sys._getframe(1)))
        if layer is not None:
            self.watch_entry(module)
            self.on_found(module)
            if not self.hooks.is_native or not self._entries.have(module):  # else it is still to begin
                self._start(layer, module, args, {})

    def _on_leave(self, module: Module, args: object, output: object) -> None:
        running = self.current
        if running is None or self._clock.is_elsewhere(claims=False):
            return
        self._guard.seconds += HOOK_SECONDS
        layer = self._layer_of(module)
        if layer is None:
            return
        if layer is running.entry:
            running.entry_seen = True
        else:
            layer.calls += 1
        if running.full or self._layers.looks:
            self._layers.look(layer, module, output, running)
        if isinstance(module, FOLLOWED):
            if isinstance(module, RECURRENT) and self._is_closely_trained():
                self._states.left(module, output, self._clock.step.number)
        elif layer is not running.entry and running.edges is None:
            self.hooks.know(module, layer)
        if running.called == id(module) and not self._entries.have(module):
            self._on_end(module, args, output)
