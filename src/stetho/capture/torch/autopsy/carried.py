"""What modules of the program's carry from call to call, as it was when a call began: small tensors, plain values."""

import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeGuard

import torch
from torch import Tensor
from torch.nn import Module

from stetho.capture.torch.calls.leaves import is_plain

LARGEST = 1 << 16
"""Of a tensor, in bytes: larger ones are tables that nobody writes to."""
VALUES = (bool, int, float, str, type(None))
OF_MODULES = frozenset(vars(Module()))


@dataclass(frozen=True, slots=True)
class Carried:
    """One module: its buffers, and its attributes that are tensors or plain values."""

    part: Module
    buffers: dict[str, Tensor]
    attributes: dict[str, Any]

    def put_into(self, stand_in: Module) -> Iterator[tuple[Tensor, Tensor]]:
        """Give a copy of the module what this one had; gives each buffer of the module with what stands for it."""
        for name, kept in self.buffers.items():
            # A new tensor: the graph of an earlier call may have saved the one in its place.
            again = stand_in._buffers[name] = kept.clone()
            now = self.part._buffers.get(name)
            if now is not None:
                yield now, again
        for name, value in self.attributes.items():
            vars(stand_in)[name] = value.clone() if isinstance(value, Tensor) else value


class Carriers:
    """The modules of each model that may carry something: those of the framework do not, but for averages."""

    def __init__(self) -> None:
        self._parts: weakref.WeakKeyDictionary[Module, list[_Carrier]] = weakref.WeakKeyDictionary()

    def now(self, module: Module) -> list[Carried]:
        """What a model carries right now."""
        known = self._parts.get(module)
        if known is None:
            own = (part for part in module.modules() if not type(part).__module__.startswith("torch.nn.modules."))
            known = self._parts[module] = [_Carrier(part) for part in own]
        # Whoever follows the program's operations is not told of ours.
        with torch._C.DisableTorchFunction(), torch.no_grad():
            return [found for each in known if (found := each.now()) is not None]


class _Carrier:
    """One module; what nobody has written to since is not copied again."""

    __slots__ = ("_copies", "_names", "_part")

    def __init__(self, part: Module) -> None:
        self._part = weakref.ref(part)
        held = vars(part).items()
        self._names = [name for name, value in held if name not in OF_MODULES and (_is_value(value) or is_plain(value))]
        self._copies: dict[str, tuple[weakref.ref[Tensor], int, Tensor]] = {}

    def now(self) -> Carried | None:
        part = self._part()
        if part is None or not (self._names or part._buffers):
            return None
        attributes, held = {}, vars(part)
        for name in self._names:
            value = held.get(name)
            if _is_value(value):
                attributes[name] = value
            elif _is_kept(value):
                attributes[name] = self._copy(name, value)
        buffers = {name: self._copy(name, tensor) for name, tensor in part._buffers.items() if _is_kept(tensor)}
        return Carried(part, buffers, attributes)

    def _copy(self, name: str, tensor: Tensor) -> Tensor:
        known = self._copies.get(name)
        if known is not None and known[0]() is tensor and known[1] == tensor._version:
            return known[2]
        made = tensor.clone()
        self._copies[name] = weakref.ref(tensor), tensor._version, made
        return made


def _is_value(value: object) -> bool:
    return type(value) in VALUES


def _is_kept(value: object) -> TypeGuard[Tensor]:
    """A tensor with a history is a result of an earlier call: it cannot be given again, and need not be."""
    if not is_plain(value) or value.layout is not torch.strided or value.is_inference():
        return False
    return value.nbytes <= LARGEST and value.grad_fn is None
