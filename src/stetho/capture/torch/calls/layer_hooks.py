"""How calls of layers are followed: by the native kernel where it was built, else by forward hooks on all modules.

The native one stands in for `Module.__call__`. Layers that it knows are measured without a line of Python; whatever is
new, or looked at in another way, goes to the same two functions that the hooks call.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from torch import Tensor
from torch.jit import ScriptModule
from torch.nn import Module
from torch.nn.modules.module import register_module_forward_hook, register_module_forward_pre_hook
from torch.utils.hooks import RemovableHandle

from stetho.capture.guard import Guard
from stetho.capture.torch.calls.activations import series_of
from stetho.capture.torch.calls.layers import Layers, post_hook, pre_hook
from stetho.capture.torch.calls.passes import Pass
from stetho.capture.torch.models.models import Layer, Models
from stetho.capture.torch.patches import Patches
from stetho.records import Phase
from stetho.stats.kernel import LayerCalls

if TYPE_CHECKING:
    from stetho.stats._native import LayerCalls as NativeCalls

ENTER, LEAVE = "layer call", "layer output"


class LayerHooks:
    """Calls `enter(module, args)` and `leave(module, args, output)` around calls of modules while it is armed."""

    def __init__(
        self,
        guard: Guard,
        models: Models,
        layers: Layers,
        enter: Callable[[Module, tuple[object, ...]], None],
        leave: Callable[[Module, object, object], None],
        around: tuple[Callable[..., object], Callable[..., object]],
    ) -> None:
        self._guard = guard
        self._models = models
        self._layers = layers
        self.enter = pre_hook(guard.wrap(ENTER, enter, naps=True))
        self.leave = post_hook(guard.wrap(LEAVE, leave, naps=True))
        self.begin_pass, self.end_pass = around
        self.output = guard.wrap(LEAVE, layers.look, naps=True)
        self._handles: list[RemovableHandle] = []
        self._patches: Patches | None = None
        self._calls: NativeCalls | None = None
        self._followed: dict[int, weakref.ref[Module]] = {}
        self._revision = 0
        models.count_calls = self.count
        self._is_still = False
        self.armed = False

    @property
    def is_native(self) -> bool:
        """Whether modules are followed without hooks."""
        return self._calls is not None

    def install(self, patches: Patches) -> None:
        """Stand in for the call of modules, where the kernel can."""
        if LayerCalls is not None:
            self._patches = patches
            patches.replace(Module, "__call__", self._stand_in)

    def _stand_in(self, original: Callable[..., Any]) -> Callable[..., Any]:
        assert LayerCalls is not None
        self._calls = self._layers.activations.native = LayerCalls(original, self)
        self._calls.armed = self.armed
        return self._calls

    def arm(self) -> None:
        """Look at every layer from now on."""
        self.armed = True
        if self._calls is not None:
            self._calls.armed = True
        elif not self._handles and not self._is_still:
            self._handles = [
                register_module_forward_pre_hook(self.enter),
                register_module_forward_hook(self.leave, always_call=True),
            ]

    def disarm(self) -> None:
        """Look at calls from outside only."""
        self.armed = False
        if self._calls is not None:
            self._calls.armed = False
        for handle in self._handles:
            handle.remove()
        self._handles = []

    def stay_away(self) -> None:
        """A compiler reads what modules do when they are called: it must find nothing of ours."""
        self.disarm()
        self._is_still = True
        if self._patches is not None:
            self._patches.take_back(Module, "__call__")
        self._stop()

    def remove(self) -> None:
        """Take everything away."""
        self.disarm()
        self._stop()

    def _stop(self) -> None:
        if self._calls is not None:
            self._calls.stop()
        self._calls = self._layers.activations.native = None
        self._followed.clear()

    # ---- calls from outside

    def follow(self, module: Module) -> bool:
        """Let calls of a module be passes, where nothing of ours has to be on it for that; whether they are now.

        A class that has a way of its own to be called may go past us.
        """
        if self._calls is None or type(module).__call__ is not self._calls or isinstance(module, ScriptModule):
            return False
        self._calls.follow(module)
        self._followed[id(module)] = weakref.ref(module)
        return True

    def follows(self, module: Module) -> bool:
        """Whether they are."""
        return self._calls is not None and self._calls.follows(module)

    def followed(self) -> list[Module]:
        """The modules whose calls are passes, as far as they are alive."""
        return [module for reference in self._followed.values() if (module := reference()) is not None]

    # ---- what the native one is told, and what it asks for

    def begin(self, begun: Pass) -> None:
        """The layers of a pass are looked at."""
        if not self.armed:
            self.arm()
        calls = self._calls
        if calls is None:
            return
        if self._revision != self._models.revision:
            self._revision = self._models.revision
            self.count()
            calls.forget()
        if begun.edges is None and self._layers.are_only_measured(begun):
            finite = self._layers.finite is not None
            calls.begin(begun, begun.grad and (self._layers.gradients or not begun.full), begun.full, finite)

    def end(self) -> None:
        """The pass is over."""
        if self._calls is not None:
            self._calls.end()

    def know(self, module: Module, layer: Layer, *, is_entry: bool = False) -> None:
        """Nothing has to be learnt about a module any more: it is measured without us."""
        if self._calls is not None and layer.called is not None and self._layers.is_wanted(layer.name):
            self._calls.know(module, layer, is_entry)

    def see(self, module: Module, output: object) -> bool:
        """A module that has hooks of ours gave this in its pass; whether that was all that is to be done."""
        return self._calls is not None and self._calls.see(module, output)

    def count(self) -> None:
        """Bring the numbers of calls up to date."""
        if self._calls is not None:
            for layer, calls in self._calls.counts():
                layer.calls += calls

    def take_seconds(self) -> None:
        """Account for the time that was spent outside of Python."""
        if self._calls is not None:
            self._guard.seconds += self._calls.take_seconds()

    def gradient(self, layer: Layer, running: Pass, gradient: Tensor | None) -> None:
        """A gradient that the kernel cannot read; none came where only other results of the operation were used."""
        if gradient is not None:
            self._layers.on_gradient(layer, "", running, gradient)

    def trouble(self, layer: Layer, role: str, tensor: Tensor) -> None:
        """A tensor is not finite."""
        self._layers.trouble(layer, role, tensor)

    def series(self, layer: Layer, role: str, phase: Phase) -> int:
        """The series of a layer's output or of its gradient."""
        return series_of(self._layers.activations.recorder, layer, "", role, phase)

    def failed(self, error: Exception) -> None:
        """An error of ours in the kernel: detach, as everywhere."""
        try:
            raise error
        except Exception:
            self._guard.trip(LEAVE)
