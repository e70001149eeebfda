"""Who made which tensor: facts and makers of all tensors that are alive, found by identity."""

import weakref
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import torch
from torch import Tensor
from torch.nn import Module
from torch.nn.parameter import is_lazy
from torch.nn.utils.rnn import PackedSequence

from stetho.inspect.operations import Operand, TensorFacts

SIMPLE = frozenset((int, float, bool, type(None)))
LONGEST_TEXT = 200
LONGEST_LIST = 32
DEEPEST = 6
_DTYPES: dict[torch.dtype, str] = {}
_DEVICES: dict[torch.device, str] = {}


def facts_of(tensor: Tensor) -> TensorFacts:
    """Shape, type and place of a tensor.

    >>> facts_of(torch.zeros(2, 3))
    TensorFacts(shape=(2, 3), dtype='float32', device='cpu', requires_grad=False, value=None)
    """
    shape = (-1,) if tensor.is_nested else tensor.shape
    return facts_from(shape, tensor.dtype, tensor.device, tensor.requires_grad)


def facts_from(shape: tuple[int, ...], dtype: torch.dtype, device: torch.device, requires_grad: bool) -> TensorFacts:
    """The same from what a tensor says of itself."""
    kind = _DTYPES.get(dtype) or _DTYPES.setdefault(dtype, str(dtype).removeprefix("torch."))
    place = _DEVICES.get(device) or _DEVICES.setdefault(device, str(device))
    return TensorFacts(tuple(shape), kind, place, requires_grad)


class Ledger:
    """Tensors by identity. Holds no tensor alive: an identity that is used again is told apart by a weak reference."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[weakref.ref[Tensor], Operand]] = {}
        self._makers: dict[int, tuple[weakref.ref[Tensor], int]] = {}
        self._parts: dict[int, tuple[Tensor, str, str]] = {}
        self._by_storage: dict[int, int] = {}

    def name_parts(self, name: str, module: Module) -> None:
        """Know the parameters and buffers of a module by their names."""
        for kind, tensors in (("parameter", module._parameters), ("buffer", module._buffers)):
            for key, tensor in tensors.items():
                if tensor is not None and not is_lazy(tensor):
                    # Most are never looked up: the text is made for those that are.
                    self._parts.setdefault(id(tensor), (tensor, f"{kind} {name}", key))

    def name(self, tensor: Tensor, origin: str) -> Operand:
        """Know a tensor that no operation made."""
        operand = Operand(facts_of(tensor), None, origin)
        self._known[id(tensor)] = (weakref.ref(tensor), operand)
        return operand

    def operand(self, tensor: Tensor) -> Operand:
        """What is known of a tensor that is used."""
        known = self._known.get(id(tensor))
        if known is not None and known[0]() is tensor:
            return known[1]
        part = self._parts.get(id(tensor))
        if part is not None:
            _, place, key = part
            return self.name(tensor, f"{place}{key}" if place.endswith(" ") else f"{place}.{key}")
        made = self._makers.get(id(tensor))
        if made is not None and made[0]() is tensor:
            return Operand(facts_of(tensor), made[1])
        maker = self._by_storage.get(storage_of(tensor)) if self._by_storage else None
        return Operand(facts_of(tensor), maker, None if maker is not None else "value")

    def made(self, number: int, tensors: Iterable[Tensor], *, storages: bool = False) -> tuple[TensorFacts, ...]:
        """An operation made these tensors; below autograd they are known again by their storage alone."""
        found = []
        for tensor in tensors:
            facts = facts_of(tensor)
            self._known[id(tensor)] = (weakref.ref(tensor), Operand(facts, number))
            found.append(facts)
            if storages:
                self._by_storage[storage_of(tensor)] = number
        return tuple(found)

    def made_unseen(self, number: int, tensors: Iterable[Tensor]) -> None:
        """An operation made these tensors, whose facts nobody asks for unless they are used."""
        for tensor in tensors:
            self._makers[id(tensor)] = (weakref.ref(tensor), number)


def storage_of(tensor: Tensor) -> int:
    """Where the values lie; views share it. Zero where there is no such place."""
    try:
        return int(tensor.untyped_storage()._cdata)
    except (NotImplementedError, RuntimeError):
        return 0


def plain(value: Any, ledger: Ledger, inputs: list[Operand]) -> Any:
    """An argument as plain data: tensors become their facts and are added to `inputs`, objects become texts."""
    if isinstance(value, Tensor):
        inputs.append(ledger.operand(value))
        return inputs[-1].tensor
    if type(value) in SIMPLE:
        return value
    if isinstance(value, str):
        return value[:LONGEST_TEXT]
    if isinstance(value, (tuple, list)):
        shown = [plain(each, ledger, inputs) for each in value[:LONGEST_LIST]]
        return [*shown, "…"] if len(value) > LONGEST_LIST else shown
    if isinstance(value, Mapping):
        return {str(key): plain(each, ledger, inputs) for key, each in list(value.items())[:LONGEST_LIST]}
    if isinstance(value, slice):
        parts = (plain(each, ledger, inputs) for each in (value.start, value.stop, value.step))
        return ":".join("" if part is None else str(part) for part in parts)
    if isinstance(value, (torch.dtype, torch.device, torch.layout, torch.memory_format)):
        return str(value).removeprefix("torch.")
    return "…" if value is ... else type(value).__name__


def tensors_in(value: Any) -> Iterator[Tensor]:
    """The tensors in a value, whatever it is: tuples, dicts, dataclasses, outputs of models."""
    if isinstance(value, Tensor):
        yield value
    elif type(value) not in SIMPLE:
        for _, tensor in named_tensors_in("", value):
            yield tensor


def named_tensors_in(name: str, value: Any, depth: int = 0) -> Iterator[tuple[str, Tensor]]:
    """The same with the names of their places, as they are typed for `--input`.

    >>> [name for name, _ in named_tensors_in("batch", {"ids": torch.ones(1), "ends": [torch.ones(1)]})]
    ['batch.ids', 'batch.ends.0']
    """
    if isinstance(value, Tensor):
        yield name, value
    elif type(value) in SIMPLE or depth > DEEPEST:
        return
    else:
        for key, each in _parts(value):
            yield from named_tensors_in(f"{name}.{key}", each, depth + 1)


def _parts(value: Any) -> Iterable[tuple[Any, Any]]:
    if isinstance(value, PackedSequence):
        return [("data", value.data)]  # the rest says only which rows belong together
    if isinstance(value, (tuple, list)):
        return zip(getattr(value, "_fields", range(len(value))), value, strict=False)
    if isinstance(value, Mapping):
        return value.items()
    return [(name, getattr(value, name, None)) for name in getattr(value, "__dataclass_fields__", ())]
