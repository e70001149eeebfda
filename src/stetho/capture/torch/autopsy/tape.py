"""The operations between a model's output and the backward pass: no module can be called to have them again.

They are written down while they happen, as references to functions and tensors, and can be played once more. The tape
is a function mode: such modes are a stack, and whoever leaves one takes the uppermost away. So ours lies under all of
the program's own, save for the one of the default device, which insists on being the lowest.
"""

import functools
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import MethodType
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from stetho.capture.guard import Guard
from stetho.capture.source import user_frame
from stetho.capture.torch.autopsy.states import Autocast, autocast_state
from stetho.capture.torch.calls.leaves import tensor_leaves
from stetho.capture.torch.calls.passes import is_transformed
from stetho.capture.torch.patches import Patches
from stetho.capture.unnoticed import unnoticed

MOST_OPS = 512
MOST_BYTES = 64 << 20
"""The tape gives up beyond: it must not keep alive what the program has let go of."""
LARGEST_COPY = 1 << 20
MOST_OTHERS = 64
"""After so many calls in a row that have nothing to do with what a tape is about, nothing more is expected."""
RANDOM = ("rand", "dropout", "bernoulli", "multinomial", "normal", "poisson", "exponential", "rrelu", "gumbel")
IN_PLACE = ("__setitem__", "__iadd__", "__isub__", "__imul__", "__itruediv__", "__ipow__", "__idiv__")
SILENT = ("__set__", "backward", "item", "tolist", "size", "dim", "numel", "__len__", "__repr__",
          "__format__", "__bool__", "__float__", "__int__", "register_hook", "retain_grad", "stride", "numpy",
          "is_floating_point", "__hash__", "data_ptr", "__array__", "storage_offset", "is_contiguous",
          "element_size")  # fmt: skip
"""Calls that make no tensor."""
READING = ("item", "__float__")
"""Those of them that hand a number to the program."""


Prepared = tuple[Tensor | None, Tensor | None]


@dataclass(slots=True)
class TapeOp:
    """One call: the function, what it was given, what it gave."""

    func: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    result: Any
    place: tuple[str, int] | None
    """File and line of the program."""
    grad: bool
    autocast: Autocast = ()
    random: Tensor | None = None
    before: Tensor | None = None
    """The first argument as it was before it was changed in place."""


@dataclass(slots=True)
class Tape:
    """The calls of one stretch; incomplete when there were too many, or too large ones."""

    ops: list[TapeOp] = field(default_factory=list)
    complete: bool = True
    bytes: int = 0
    """Of the results that it keeps alive."""
    about: set[int] | None = None
    """The tensors, by identity, that calls are written down about, and then about what is made of them; else all."""
    others: int = 0
    """Calls since the last one that is about them."""


class TapeMode(TorchFunctionMode):
    """Writes calls down while it is on."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard
        self._note = guard.wrap("tape", self._on_call, naps=True)
        self._before = guard.wrap("tape before", self._on_before, naps=True)
        self._inside = 0
        self._is_on = False
        self._kinds: dict[Any, str] = {}
        self.tape: Tape | None = None
        self.on_nan_read: Callable[[], None] = lambda: None
        """The program has read a number off that is none."""
        self._read = guard.wrap("tape read", self._on_read, naps=True)

    def install(self, patches: Patches) -> None:
        """Hide the mode from layers that choose a slower way when one is on, and see what modes are not told of."""
        patches.replace(torch.overrides, "has_torch_function", self._without_us)
        patches.replace(torch.autograd.Function, "apply", self._with_us)

    def start(self, tape: Tape) -> None:
        """Go on writing on a tape. Nothing happens inside of a call that is being written down."""
        if self._inside:
            return
        self.tape = tape
        self._is_on = True
        if self not in _stack():
            _rearrange(lambda modes: _inserted(modes, self))

    def stop(self) -> None:
        """Write no more. The mode leaves the stack, at once or when the call that it is inside of is over."""
        self.tape = None
        if not self._is_on or self._inside:
            return
        self._is_on = False
        if self in _stack():
            _rearrange(lambda modes: [mode for mode in modes if mode is not self])

    def apart(self, compiled: Callable[..., Any], original: Callable[..., Any]) -> Callable[..., Any]:
        """`compiled`, such that it never meets the mode, for which it would be compiled again.

        On the tape it is one call of what it was compiled from, whose operations are seen when that is run once more.
        """

        @functools.wraps(compiled)
        def call(*args: Any, **kwargs: Any) -> Any:
            if self.tape is None or self._inside:
                return compiled(*args, **kwargs)
            is_noted = not self._guard.is_inside
            prepared = self._before("random", args) if is_noted else None
            with self._hidden():
                result = compiled(*args, **kwargs)
            if is_noted:
                self._note(original, args, kwargs, result, prepared)
            return result

        return call

    @contextmanager
    def _hidden(self) -> Iterator[None]:
        was_on = self in _stack()
        if was_on:
            _rearrange(lambda modes: [mode for mode in modes if mode is not self])
        self._inside += 1
        try:
            yield
        finally:
            self._inside -= 1
            if was_on:
                _rearrange(lambda modes: _inserted(modes, self))

    @unnoticed
    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        kind = self._kinds.get(func) or self._kind(func)
        # What we compute ourselves, as facts of a batch when another model is called, is no part of the step.
        noted = kind != "silent" and self.tape is not None and not self._inside and not self._guard.is_inside
        prepared = self._before(kind, args) if noted and kind != "plain" else None
        self._inside += 1
        try:
            result = func(*args, **kwargs)
        finally:
            self._inside -= 1
        if noted:
            self._note(func, args, kwargs, result, prepared)
        elif type(result) is float and result != result and self.tape is not None and not self._guard.is_inside:
            self._read(func)
        return result

    def _on_read(self, func: Any) -> None:
        if getattr(func, "__name__", "") in READING and not self._inside:
            self._inside += 1
            try:
                self.on_nan_read()
            finally:
                self._inside -= 1

    def _kind(self, func: Any) -> str:
        name = getattr(func, "__name__", "")
        kind = "silent" if name in SILENT else "plain"
        if name == "apply" or any(word in name for word in RANDOM):
            # A function with a derivative of its own may draw numbers as well.
            kind = "random"
        elif is_in_place(name):
            kind = "in place"
        self._kinds[func] = kind
        return kind

    def _on_before(self, kind: str, args: Any) -> Prepared:
        random = torch.get_rng_state() if kind == "random" else None
        first = args[0] if args else None
        if kind == "in place" and isinstance(first, Tensor) and first.numel() <= LARGEST_COPY:
            with torch._C.DisableTorchFunction():
                return random, first.detach().clone()
        return random, None

    def _on_call(self, func: Any, args: Any, kwargs: Any, result: Any, prepared: Prepared | None) -> None:
        tape = self.tape
        if tape is None or not tape.complete or is_transformed():
            return
        if type(result) is not Tensor and not _has_tensor(result) and func.__name__ != "__setitem__":
            return
        if tape.about is not None and not _concerns(tape.about, (args, kwargs), result):
            tape.others += 1
            if tape.others > MOST_OTHERS:
                self.tape = None
            return
        tape.others = 0
        random, before = prepared or (None, None)
        frame = user_frame(sys._getframe(1))
        place = (frame.f_code.co_filename, frame.f_lineno) if frame is not None else None
        tape.ops.append(
            TapeOp(func, args, kwargs, result, place, torch.is_grad_enabled(), autocast_state(), random, before)
        )
        tape.bytes += result.nbytes if isinstance(result, Tensor) and result.layout is torch.strided else 0
        if len(tape.ops) > MOST_OPS or tape.bytes > MOST_BYTES:
            tape.complete, tape.bytes = False, 0
            tape.ops.clear()

    def _without_us(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def has_torch_function(relevant: Any) -> Any:
            if self.tape is None:
                return original(relevant)
            with self._hidden():
                return original(relevant)

        return has_torch_function

    def _with_us(self, original: Any) -> Any:
        plain = original.__func__

        @functools.wraps(plain)
        def apply(cls: type, *args: Any, **kwargs: Any) -> Any:
            if self.tape is None or self._inside:
                return plain(cls, *args, **kwargs)
            return self.__torch_function__(MethodType(plain, cls), (), args, kwargs)

        return classmethod(apply)


def is_in_place(name: str) -> bool:
    """Whether a function of this name changes its first argument.

    >>> is_in_place("log_"), is_in_place("__add__"), is_in_place("__setitem__")
    (True, False, True)
    """
    return name in IN_PLACE or (name.endswith("_") and not name.endswith("__"))


def _concerns(about: set[int], given: Any, result: Any) -> bool:
    """Whether a call was given one of these tensors; what it makes of it belongs to them."""
    if about.isdisjoint(id(tensor) for _, tensor in tensor_leaves(given)):
        return False
    about.update(id(tensor) for _, tensor in tensor_leaves(result))
    return True


def _has_tensor(result: Any) -> bool:
    if isinstance(result, Tensor):
        return True
    return isinstance(result, (tuple, list)) and any(isinstance(each, Tensor) for each in result)


def _stack() -> list[Any]:
    return [torch._C._get_function_stack_at(place) for place in range(torch._C._len_torch_function_stack())]


def _inserted(modes: list[Any], ours: TapeMode) -> list[Any]:
    default = getattr(torch._GLOBAL_DEVICE_CONTEXT, "device_context", None)
    lowest = 1 if modes and modes[0] is default else 0
    return [*modes[:lowest], ours, *modes[lowest:]]


def _rearrange(change: Callable[[list[Any]], list[Any]]) -> None:
    modes = [torch._C._pop_torch_function_stack() for _ in range(torch._C._len_torch_function_stack())][::-1]
    for mode in change(modes):
        torch._C._push_on_torch_function_stack(mode)
