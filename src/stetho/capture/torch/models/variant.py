"""The program's models trained in another way than they were written: compiled, in another type, on another device.

Each way is put around a model when an optimizer takes its parameters. What the program gives to the model and gets from
it stays as it was: inputs are converted on the way in, outputs on the way out.
"""

import functools
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn import Module, ModuleList, Sequential
from torch.utils.checkpoint import checkpoint

from stetho.capture.torch.calls.leaves import first_tensor

AUTOCAST = {"bf16": torch.bfloat16, "fp16": torch.float16}
CONTAINERS = (Sequential, ModuleList)


class Variant:
    """One way to train, applied to every model once; without a way nothing is done."""

    def __init__(self, way: str | None) -> None:
        self._name, _, self._detail = (way or "").partition(":")
        self._way = way
        self._done: set[int] = set()

    def apply(self, model: Module) -> None:
        """Have a model trained in this way from its next call on."""
        if self._way is None or self._done & {id(module) for module in model.modules()}:
            return
        self._done.add(id(model))
        if self._name in ("compiled", "compiled-parts"):
            for part in [model] if self._name == "compiled" else parts_of(model):
                part.compile(backend=self._detail or "inductor")
        elif self._name == "checkpointing":
            for part in parts_of(model):
                part.forward = functools.partial(_checkpointed, part.forward)
        elif self._name in AUTOCAST:
            _autocast(model, AUTOCAST[self._name])
        elif self._name == "float64":
            model.double()
            _convert(model, _as_double, _as_float)
        else:
            place = torch.device(self._way)
            model.to(place)
            _convert(model, lambda tensor: tensor.to(place))


def parts_of(model: Module) -> list[Module]:
    """The parts of a model, each of them called by itself: its children, and those of containers among them.

    >>> len(parts_of(Sequential(torch.nn.Linear(2, 2), Sequential(torch.nn.ReLU(), torch.nn.Linear(2, 2)))))
    3
    """
    found: list[Module] = []
    for child in model.children():
        found += parts_of(child) if isinstance(child, CONTAINERS) else [child]
    return list(dict.fromkeys(found)) or [model]


def _checkpointed(forward: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    if not torch.is_grad_enabled():
        return forward(*args, **kwargs)
    return checkpoint(forward, *args, use_reentrant=False, **kwargs)


def _autocast(model: Module, dtype: torch.dtype) -> None:
    open_contexts: list[Any] = []

    def enter(_module: Module, args: Any) -> None:
        first = first_tensor(args)
        context = torch.autocast(first.device.type if first is not None else "cpu", dtype=dtype)
        context.__enter__()  # type: ignore[no-untyped-call]
        open_contexts.append(context)

    def leave(_module: Module, _args: Any, output: Any) -> Any:
        open_contexts.pop().__exit__(None, None, None)
        return _mapped(output, _as_float)

    model.register_forward_pre_hook(enter)
    model.register_forward_hook(leave, always_call=True)


def _convert(
    model: Module, inward: Callable[[Tensor], Tensor], outward: Callable[[Tensor], Tensor] = lambda tensor: tensor
) -> None:
    """Inputs go through `inward`; outputs through `outward`, and back to the place of the inputs."""
    places: list[torch.device] = []

    def enter(_module: Module, args: Any, kwargs: Any) -> Any:
        first = first_tensor(args, kwargs)
        places.append(first.device if first is not None else torch.device("cpu"))
        return _mapped(args, inward), _mapped(kwargs, inward)

    def leave(_module: Module, _args: Any, output: Any) -> Any:
        place = places.pop()
        return _mapped(output, lambda tensor: outward(tensor).to(place))

    model.register_forward_pre_hook(enter, with_kwargs=True)
    model.register_forward_hook(leave, always_call=True)


def _as_double(tensor: Tensor) -> Tensor:
    return tensor.double() if tensor.is_floating_point() else tensor


def _as_float(tensor: Tensor) -> Tensor:
    return tensor.float() if tensor.is_floating_point() else tensor


def _mapped(value: Any, change: Callable[[Tensor], Tensor]) -> Any:
    """A structure of tensors with every tensor changed; objects of unknown kinds are taken as they are."""
    return torch.utils._pytree.tree_map_only(Tensor, change, value)
