"""What a layer gave back, and the gradient that comes back through it; the shape of our hooks."""

import functools
from collections import OrderedDict
from collections.abc import Callable
from fnmatch import fnmatchcase
from itertools import count

import torch
from torch import Tensor
from torch.nn import Module, MultiheadAttention

from stetho.capture.guard import Guard
from stetho.capture.torch.calls.activations import Activations
from stetho.capture.torch.calls.histograms import Histograms
from stetho.capture.torch.calls.leaves import is_plain, tensor_leaves
from stetho.capture.torch.calls.passes import Pass
from stetho.capture.torch.models.models import Layer, describe
from stetho.config import Options
from stetho.stats.kernel import Pending, hold

HOOK_SECONDS = 3e-6
"""What the framework spends on calling a pair of our hooks; it happens outside of our own timers."""

Look = Callable[[Layer, str, str, Tensor], None]
"""Somebody who wants to see tensors of layers: layer, path in the output, role, tensor."""


class Layers:
    """Measures outputs and gradients of layers, and shows them to whoever wants to look."""

    def __init__(self, guard: Guard, activations: Activations, histograms: Histograms, options: Options) -> None:
        self._guard = guard
        self.activations = activations
        self._histograms = histograms
        self._patterns = options.layers
        self.gradients = options.gradients == "all"
        self._last: tuple[Tensor, int | None, Pending] | None = None
        self.is_wanted = functools.cache(self._is_wanted)
        self.on_gradient = guard.wrap("layer gradient", self._on_gradient, naps=True)
        self.looks: list[Look] = []
        self.finite: Look | None = None
        """The one of them that looks for values that are not finite."""
        self.trouble: Callable[[Layer, str, Tensor], object] = lambda *_: None
        """Told of a layer, a role and a tensor that is not finite, where the kernel sees that first."""

    def are_only_measured(self, running: Pass) -> bool:
        """Whether nothing is done with the tensors of a pass but to measure them and to see that they are finite."""
        if self.looks and self.looks != [self.finite]:
            return False
        if not running.full:
            return bool(self.looks)
        return not self._histograms.due and (self.gradients or self.finite is None)

    def forget(self) -> None:
        """A pass is over: keep no tensor of it."""
        self._last = None

    def look(self, layer: Layer, module: Module, output: object, running: Pass) -> None:
        """Look at what a layer gave back."""
        leaf = not module._modules
        for path, tensor in (("", output),) if is_plain(output) else tensor_leaves(output):
            if not (tensor.is_floating_point() or tensor.is_complex()):
                continue
            if layer.output is None and path in ("", "[0]"):
                layer.output = describe(tensor)
            for look in self.looks:
                look(layer, path, "act", tensor)
            if running.edges is not None and leaf:
                running.edges.produced(layer.name, tensor)
            elif running.edges is not None and type(module) is MultiheadAttention:
                running.edges.attended(tensor)
            if running.full and self.is_wanted(layer.name):
                self._measure(layer, path, tensor, running)

    def _measure(self, layer: Layer, path: str, tensor: Tensor, running: Pass) -> None:
        measured = self._measured(tensor)
        self.activations.add(layer, path, "act", running, measured)
        if self._histograms.due:
            self._histograms.add(layer, path, "act", running, tensor)
        if self.gradients and running.grad and tensor.requires_grad and tensor.grad_fn is not None:
            hook = functools.partial(ignoring_result, self.on_gradient, layer, path, running)
            on_gradient(tensor, hook)

    def _measured(self, tensor: Tensor) -> Pending:
        """A container gives back what its last layer gave: it is measured once, unless it was changed in place."""
        last = self._last
        version = None if tensor.is_inference() else tensor._version
        if last is not None and last[0] is tensor and version is not None and last[1] == version:
            return last[2]
        measured = hold(tensor)
        self._last = (tensor, version, measured)
        return measured

    def _on_gradient(self, layer: Layer, path: str, running: Pass, gradient: Tensor) -> None:
        self._guard.seconds += HOOK_SECONDS
        for look in self.looks:
            look(layer, path, "act_grad", gradient)
        self.activations.add(layer, path, "act_grad", running, hold(gradient))
        if self._histograms.due:
            self._histograms.add(layer, path, "act_grad", running, gradient)

    def _is_wanted(self, name: str) -> bool:
        return any(fnmatchcase(name, pattern) for pattern in self._patterns)


_NUMBERS = count(1)


def on_gradient(tensor: Tensor, hook: Callable[[Tensor], None]) -> None:
    """Have a function called with the gradient of a tensor, which must have a history, when a backward pass reaches it.

    What `Tensor.register_hook` does, without a handle to remove the hook: that takes longer than all the rest.
    """
    if torch._C._is_torch_function_mode_enabled():  # a mode of the program would hear of every attribute
        with torch._C.DisableTorchFunction():
            tensor.register_hook(hook)  # type: ignore[no-untyped-call]
        return
    hooks = tensor._backward_hooks
    if hooks is None:
        hooks = tensor._backward_hooks = OrderedDict()
        tensor.grad_fn._register_hook_dict(tensor)  # type: ignore[union-attr]  # it has a history
    # Handles of torch's own count upwards from zero.
    hooks[-next(_NUMBERS)] = hook


def ignoring_result(function: Callable[..., object], *args: object) -> None:
    """A tensor hook that returns something would replace the gradient.

    Of the results of one operation (chunks, the output and the state of an LSTM) those that nobody used get None.
    """
    if args[-1] is not None:
        function(*args)


def pre_hook(function: Callable[..., object]) -> Callable[..., None]:
    """A hook of two arguments that a compiler sees as empty, so that its graph stays what it is without us."""

    def hook(module: Module, args: object) -> None:
        if not torch.compiler.is_compiling():
            function(module, args)

    return hook


def post_hook(function: Callable[..., object]) -> Callable[..., None]:
    """The same with three: a forward hook, or a pre-hook with keyword arguments."""

    # When the hooks are taken away in the middle of a call, the framework no longer knows that this one takes three.
    def hook(module: Module, args: object, third: object = None) -> None:
        if not torch.compiler.is_compiling():
            function(module, args, third)

    return hook
