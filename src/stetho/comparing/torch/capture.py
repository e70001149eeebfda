"""One call of a model, with the value of every tensor on the way and, if wanted, its gradient."""

import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import Module
from torch.overrides import TorchFunctionMode

from stetho.comparing.models.trace import CONSTANT, INPUT, OPERATION, WEIGHT, Array, Layer, Site, Trace
from stetho.comparing.torch.backward import SEED, gradients
from stetho.comparing.torch.chances import chance_of, line_at
from stetho.comparing.torch.fused import in_steps
from stetho.comparing.torch.opened import opened
from stetho.comparing.torch.snapshots import Snapshots, array_of
from stetho.comparing.torch.wide_convolution import quickest
from stetho.inspect.call import Call
from stetho.inspect.inputs import named_arguments
from stetho.inspect.operations import Operand, Operation, Recording
from stetho.inspect.torch.functions import argument_defaults, is_quiet, may_write, name_of, writes
from stetho.inspect.torch.ledger import tensors_in
from stetho.inspect.torch.models import dtype_of
from stetho.inspect.torch.recording import record

EMPTY = np.empty(0)
LENDING = ("to", "type_as", "view_as", "reshape_as", "expand_as")


class Capture(TorchFunctionMode):
    """Sees every function before the recorder does: keeps values, opens functions that are many operations."""

    def __init__(self, model: Module, call: Call, *, opening: str = "", copies: bool = False) -> None:
        super().__init__()
        self._opening = opening
        self.sites: list[Site] = []
        self.tensors: list[tuple[Tensor, int]] = []
        """The tensor of each site, and which of its states: what is changed in place has another one."""
        self._known: dict[int, int] = {}
        self.snapshots = Snapshots(copies=copies)
        self.chances: dict[str, None] = {}
        self._told: Operation | None = None
        self._names = {id(each): name for name, each in (*model.named_parameters(), *model.named_buffers())}
        for name, value in named_arguments(model, call):
            for place, tensor in enumerate(tensors_in(value)):
                self._add(tensor, INPUT, f"{name}[{place}]" if place else name)

    def tell(self, operation: Operation) -> None:
        """The recorder wrote down an operation."""
        self._told = operation

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        steps = opened(func, args, kwargs)
        if steps is None and self._opening and name_of(func) == self._opening:
            steps = in_steps(self._opening, args, kwargs)
        if steps is not None:
            if chance := chance_of(func, args, kwargs):
                self.chances.setdefault(f"{name_of(func)} by p={chance:g}{line_at(sys._getframe(1))}")
            with self:
                return steps()
        func = quickest(func, args, kwargs)
        self._told = None
        # The recorder looks on at everything that is asked of a tensor, and need not look on at us.
        with torch._C.DisableTorchFunction():
            before = self._take(func, args, kwargs)
        result = func(*args, **kwargs)
        made = tuple(args[:1]) if writes(func) else tuple(tensors_in(result))
        if made and not is_quiet(func):
            with torch._C.DisableTorchFunction():
                self._give(func, made, tuple(dict.fromkeys(_used(name_of(func), before))), self._told)
        return result

    def _take(self, func: Any, args: Any, kwargs: Any) -> list[int]:
        """Note what an operation takes; what is changed in place must be known as it was."""
        taken = list(tensors_in((args, kwargs)))
        sites = [self.site_of(tensor) for tensor in taken]
        if may_write(func, args, kwargs):
            for tensor in taken:
                self.snapshots.before_write(tensor)
        return sites

    def _give(self, func: Any, made: Sequence[Tensor], operands: tuple[int, ...], told: Operation | None) -> None:
        """Note what an operation gave, and what it was told."""
        where: tuple[Any, ...] = (told.layer, operands, told.line, told.call, told.number) if told else ("", operands)
        settings = {**argument_defaults(func), **(told.arguments if told else {})}
        for tensor in made:
            self.sites[self._add(tensor, OPERATION, name_of(func), *where)].arguments = settings

    def site_of(self, tensor: Tensor) -> int:
        """The site of a tensor that is used; one that nobody made is a weight, or a constant."""
        number = self._known.get(id(tensor))
        if number is None:
            name = self._names.get(id(tensor))
            return self._add(tensor, WEIGHT if name else CONSTANT, name or "value")
        held, version = self.tensors[number]
        if held is tensor and version != tensor._version:
            # Changed through a view of it.
            old = self.sites[number]
            writers = [each.number for each in self.sites[number + 1 :] if number in each.operands]
            where = (old.layer, (number, *writers[-1:]), old.line, old.call, old.operation)
            return self._add(tensor, OPERATION, "change in place", *where)
        return number

    def _add(
        self,
        tensor: Tensor,
        kind: str,
        name: str,
        layer: str = "",
        operands: tuple[int, ...] = (),
        line: str | None = None,
        call: int = -1,
        operation: int = -1,
    ) -> int:
        number = len(self.sites)
        is_data = kind == INPUT or any(self.sites[each].is_data for each in operands)
        site = Site(number, kind, name, layer, EMPTY, operands, line, call, operation, is_data=is_data)
        self.snapshots.put(site, tensor)
        self.sites.append(site)
        self.tensors.append((tensor, tensor._version))
        self._known[id(tensor)] = number
        return number


def _used(name: str, operands: list[int]) -> list[int]:
    """The operands whose values are used: others lend only their type or shape."""
    if name.endswith("_like") or name.startswith("new_"):
        return []
    return operands[:1] if name in LENDING else operands


class Captured(Call):
    """A call that is made under a capture, from one seed; gradients are taken before its graph is gone."""

    __slots__ = ("buffers", "capture", "given", "gradients_of", "kept", "kinds")
    capture: Capture
    given: list[int]
    gradients_of: Sequence[int] | None
    kinds: Collection[str]
    kept: tuple[dict[str, Array], list[Array]]
    buffers: dict[str, Array]
    """As the call leaves them, before they are put back."""

    def __init__(self, call: Call, gradients_of: Sequence[int] | None, kinds: Collection[str]) -> None:
        super().__init__(call.args, call.kwargs, call.function)
        object.__setattr__(self, "gradients_of", gradients_of)
        object.__setattr__(self, "kinds", kinds)

    def of(self, model: Any) -> Any:
        """Make the call."""
        _seed()
        capture = self.capture
        with capture:
            result = super().of(model)
        with torch._C.DisableTorchFunction():
            given = [capture.site_of(tensor) for tensor in tensors_in(result)]
            object.__setattr__(self, "given", given)
            buffers = {name: array_of(each) for name, each in model.named_buffers()} if model.training else {}
            object.__setattr__(self, "buffers", buffers)
            if self.gradients_of is not None:
                ends = [given[each] for each in self.gradients_of]
                kept = gradients(capture.sites, capture.tensors, model, ends, self.kinds)
                object.__setattr__(self, "kept", kept)
        return result


def trace(
    model: Module,
    call: Call,
    name: str,
    *,
    gradients_of: Sequence[int] | None = None,
    kinds: Collection[str] = (INPUT,),
    opening: str = "",
    copies: bool = False,
) -> Trace:
    """Call the model once and keep all it computes; with `gradients_of`, the gradients of these outputs too.

    They are taken by weights, and by sites of these `kinds`; by all values on the way costs as much again.
    `opening` is the name of a function that is taken apart: a norm, a convolution. Values lie in the memory of their
    tensors, or are `copies`.

    >>> found = trace(torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU()), Call((torch.ones(1, 2),)), "net")
    >>> [site.label for site in found.sites if site.operands]
    ['linear in `0`', 'relu in `1`']
    """
    captured = Captured(call, gradients_of, kinds)
    capture = Capture(model, call, opening=opening, copies=copies)
    object.__setattr__(captured, "capture", capture)
    with _plain_attention():
        recording = record(model, captured, on_operation=capture.tell, counts_kept=False)
    if capture.snapshots.is_too_late:
        return trace(model, call, name, gradients_of=gradients_of, kinds=kinds, opening=opening, copies=True)
    found = Trace(name, capture.sites, _layers(recording, capture.sites), captured.given)
    found.weights = {name: capture.snapshots.of(tensor) for name, tensor in weights_of(model).items()}
    found.kept = {
        name: value
        for name, value in captured.buffers.items()
        if not np.array_equal(found.weights.get(name, EMPTY), value)
    }
    found.buffers = frozenset(name for name, _ in model.named_buffers())
    found.chances = list(capture.chances)
    if gradients_of is not None:
        found.weight_gradients, found.input_gradients = captured.kept
    return found


def weights_of(model: Module) -> dict[str, Tensor]:
    """What is saved with a model, each tensor once, by its first name.

    >>> list(weights_of(torch.nn.Linear(2, 3)))
    ['weight', 'bias']
    """
    seen: dict[int, str] = {}
    state = model.state_dict(keep_vars=True)
    return {
        name: each
        for name, each in state.items()
        if isinstance(each, Tensor) and seen.setdefault(id(each), name) == name
    }


def original_dtype(model: Module) -> str:
    """The type in which the model computes when nobody looks."""
    return str(dtype_of(model)).removeprefix("torch.")


def in_double(call: Call) -> Call:
    """The same call with all real numbers in double precision."""

    def wide(value: Any) -> Any:
        if isinstance(value, Tensor):
            return _start(value) if value.is_floating_point() else value
        if isinstance(value, dict):
            return type(value)({key: wide(each) for key, each in value.items()})
        if isinstance(value, (tuple, list)) and not hasattr(value, "_fields"):
            return type(value)(wide(each) for each in value)
        return value

    return Call(wide(call.args), wide(dict(call.kwargs)), call.function)


def _start(value: Tensor) -> Tensor:
    # No leaf of the graph, since a model may change its input in place.
    return value.detach().double().requires_grad_().clone()


@contextmanager
def _plain_attention() -> Iterator[None]:
    """Without the short cut of torch's own layers, which does everything in one function."""
    was = torch.backends.mha.get_fastpath_enabled()
    torch.backends.mha.set_fastpath_enabled(False)
    try:
        yield
    finally:
        torch.backends.mha.set_fastpath_enabled(was)


def _seed() -> None:
    """What `torch.manual_seed` does, without its long way past devices that are not used."""
    torch.default_generator.manual_seed(SEED)
    if torch.cuda.is_initialized():  # type: ignore[no-untyped-call]
        torch.cuda.manual_seed_all(SEED)


def _layers(recording: Recording, sites: list[Site]) -> list[Layer]:
    made: dict[int, list[Site]] = {}
    for site in sites:
        if site.operation >= 0:
            made.setdefault(site.operation, []).append(site)
    depths: dict[int, int] = {}
    times: dict[str, int] = {}
    parents = {call.parent for call in recording.calls}
    found = []
    for call in recording.calls:
        depths[call.number] = depths.get(call.parent, -1) + 1 if call.parent is not None else 0
        times[call.name] = times.get(call.name, 0) + 1
        output = next((at for at in (_site(each, made) for each in call.outputs) if at is not None), None)
        if output is not None:
            name = f"{call.name}#{times[call.name]}" if times[call.name] > 1 else call.name
            is_leaf = call.number not in parents
            found.append(Layer(name, call.kind, output, call.number, depths[call.number], is_leaf, call.line))
    return found


def _site(operand: Operand, made: dict[int, list[Site]]) -> int | None:
    candidates = made.get(operand.maker, []) if operand.maker is not None else []
    fitting = [site for site in candidates if site.value.shape == operand.tensor.shape]
    return (fitting or candidates)[0].number if candidates else None
