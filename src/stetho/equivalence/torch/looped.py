"""A program in this process, its loop done in another way, with every tensor of its first steps written down."""

import functools
import types
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import torch
from torch import Tensor, distributed
from torch.nn import Module
from torch.nn.modules.module import register_module_forward_pre_hook
from torch.optim import Optimizer, lr_scheduler
from torch.utils.data import DataLoader

from stetho.capture.torch.patches import Patches
from stetho.equivalence.torch.loop import RANK, SPLIT, Loop, LoopWay, NotPossible, gated
from stetho.equivalence.torch.shared import Shared
from stetho.equivalence.torch.tape import Tape
from stetho.equivalence.torch.training import Training

DROPPING = ("dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout", "feature_alpha_dropout")


class Enough(BaseException):
    """As many steps as were asked for are over; no `except Exception` of the program stops it."""


class Looped:
    """Stands between a program and torch until `steps` updates are over."""

    def __init__(self, way: LoopWay, steps: int) -> None:
        self.loop = Loop(way)
        self.tape: Tape | None = None
        self.sizes: list[list[int]] = []
        """For each step, the samples of the batches that it was made of."""
        self.backwards: list[int] = []
        self.has_dropped = False
        self._steps, self._way = steps, way
        self._optimizers: list[Optimizer] = []
        self._stack = ExitStack()
        self._is_begun, self._passes = False, 0
        self._shared = Shared(finds_unused=way.finds_unused)

    def install(self) -> None:
        """Put everything in place; the process ends with the program, so nothing is put back."""
        patches = Patches()
        patches.replace(DataLoader, "__iter__", lambda original: lambda loader: self.loop.batches(original(loader)))
        patches.replace(torch.autograd, "backward", self._backward)
        patches.around(Optimizer, "__init__", after=lambda _, optimizer, *_args, **_how: self._meet(optimizer))
        for name in DROPPING:
            patches.replace(torch.nn.functional, name, self._undropped)
        patches.replace(torch.nn.functional, "scaled_dot_product_attention", self._attention)
        if self._way.kind == SPLIT:
            patches.replace(Module, "zero_grad", self._cleared)
            for owner in (lr_scheduler.LRScheduler, lr_scheduler.ReduceLROnPlateau):
                patches.replace(owner, "step", functools.partial(gated, self.loop))
            for name in ("clip_grad_norm_", "clip_grad_value_"):
                patches.replace(torch.nn.utils, name, functools.partial(gated, self.loop))
        if self._way.kind == RANK:
            patches.replace(distributed, "init_process_group", lambda _: _joins_itself)
            patches.replace(Module, "__call__", lambda original: self._shared.calling(original, self._is_trained))
        register_module_forward_pre_hook(self._called)

    def _meet(self, optimizer: Optimizer) -> None:
        step, clear = optimizer.step, optimizer.zero_grad
        self._optimizers.append(optimizer)
        # Schedulers bind these to the optimizer again, which only methods bear.
        optimizer.step = types.MethodType(  # type: ignore[method-assign]
            lambda own, *args, **kwargs: self._step(own, step, *args, **kwargs), optimizer
        )
        if self._way.kind == SPLIT:
            optimizer.zero_grad = types.MethodType(  # type: ignore[method-assign]
                lambda _, *args, **kwargs: None if self.loop.has_gradients else clear(*args, **kwargs), optimizer
            )

    def _cleared(self, original: Callable[..., None]) -> Callable[..., None]:
        return lambda *args, **kwargs: None if self.loop.has_gradients else original(*args, **kwargs)

    def _step(self, optimizer: Optimizer, step: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        if any(map(callable, (*args, *kwargs.values()))):
            raise NotPossible("its optimizer calls a closure for as many passes as it likes")
        if not self.loop.is_last:
            self.loop.used()
            return None
        if self.tape is None:
            return step(*args, **kwargs)
        if optimizer is not self._optimizers[0]:
            raise NotPossible("it has more than one optimizer, whose updates take turns within a batch")
        result = step(*args, **kwargs)
        self.tape.end()
        self.sizes.append(self.loop.updated())
        self.backwards.append(self._passes)
        self._is_begun, self._passes = False, 0
        if len(self.tape.steps) >= self._steps:
            self._stack.close()
            raise Enough
        return result

    def _backward(self, original: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(original)
        def backward(tensors: Any, grad_tensors: Any = None, *args: Any, **kwargs: Any) -> None:
            self._passes += 1
            self.loop.has_gradients = True
            if isinstance(tensors, Tensor) and tensors.numel() == 1 and grad_tensors is None:
                grad_tensors = self.loop.weighed(tensors)
                if self.tape is not None:
                    self.tape.put("loss/", tensors if grad_tensors is None else tensors * grad_tensors)
            original(tensors, grad_tensors, *args, **kwargs)
            if self._way.kind == RANK and self.tape is not None:
                groups = self._optimizers[0].param_groups
                self._shared.average_others(each for group in groups for each in group["params"])

        return backward

    def _called(self, module: Module, args: Any) -> None:
        if not torch.is_grad_enabled() or torch._C._current_graph_task_id() != -1:
            return
        if self.tape is None:
            self._find(module)
        elif module is not self._root:
            return
        if self.tape is not None:
            if not self._is_begun:
                self.tape.begin()
                self._is_begun = True
            self.tape.put_inputs(args)

    def _find(self, module: Module) -> None:
        """The outermost module that is called and that an optimizer trains."""
        optimizer = self._trainer(module)
        if optimizer is not None:
            self._root = module
            self._optimizers = [optimizer]
            self.tape = Tape(Training({}, module, optimizer, lambda *_: torch.zeros(())))
            self._stack.enter_context(self.tape.watching())

    def _trainer(self, module: Module) -> Optimizer | None:
        own = {id(parameter) for parameter in module.parameters()}
        for optimizer in self._optimizers:
            if any(id(each) in own for group in optimizer.param_groups for each in group["params"]):
                return optimizer
        return None

    def _is_trained(self, module: Module) -> bool:
        return self._trainer(module) is not None

    def _undropped(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def dropout(given: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
            self.has_dropped |= bool(training and p)
            return original(given, 0.0, training, inplace)

        return dropout

    def _attention(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def attention(
            query: Any, key: Any, value: Any, mask: Any = None, p: float = 0.0, *args: Any, **how: Any
        ) -> Any:
            self.has_dropped |= bool(how.pop("dropout_p", 0.0) or p)
            return original(query, key, value, how.pop("attn_mask", mask), 0.0, *args, **how)

        return attention


def _joins_itself(*_args: object, **_kwargs: object) -> None:
    raise NotPossible("it joins its processes itself, and shares its data among them in its own way")
