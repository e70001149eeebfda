"""Writes down what a model does while it runs: functions of torch in their order, and the calls of layers around them.

Functions are seen above autograd, as people write them (`linear`, `lstm`), by a function mode; what has no such form
(backward passes, TorchScript) is seen below it, by `stetho.inspect.torch.below`.
"""

import functools
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from threading import get_ident
from time import perf_counter
from types import FrameType
from typing import Any

import torch
from torch import Tensor
from torch.nn import Module
from torch.overrides import TorchFunctionMode

from stetho.capture.source import is_own_code, is_user_code, library_of
from stetho.inspect.call import Call
from stetho.inspect.flops import is_counted
from stetho.inspect.operations import Failure, LayerCall, Operand, Operation
from stetho.inspect.torch.functions import argument_names, full_name, is_quiet, is_told, name_of, writes
from stetho.inspect.torch.ledger import SIMPLE, Ledger, plain, tensors_in

OnOperation = Callable[[Operation], object]


@dataclass(slots=True)
class OpenCall:
    """A layer at work."""

    number: int
    module: Module
    name: str
    line: str | None
    first: int
    inputs: tuple[Operand, ...]
    parent: int | None
    began: float = field(default_factory=perf_counter)


class Recorder(TorchFunctionMode):
    """Records one call of a model from `__enter__` to `__exit__`, and tells every operation as it happens.

    A terse one leaves out what a summary does not show: lines, and tensors of operations that cost nothing.
    """

    def __init__(
        self,
        names: dict[int, str],
        ledger: Ledger,
        on_operation: OnOperation | None = None,
        *,
        values: bool = False,
        is_terse: bool = False,
    ) -> None:
        super().__init__()
        self._names = names
        self._thread = get_ident()
        self._tell = on_operation
        self._values = values
        self._is_terse = is_terse
        self.ledger = ledger
        self.operations: list[Operation] = []
        self.calls: list[LayerCall | None] = []
        self.open: list[OpenCall] = []
        self.sequence: list[int] = []
        """For each operation, the number of the next autograd node once it was over."""
        self.failure: tuple[BaseException, Failure] | None = None
        self.saved = 0
        """Bytes kept for the backward pass since this was last set to zero."""
        self.is_blind = False
        """Whether what happens is our own doing."""
        self._silent: set[Any] = set()
        self._failing: tuple[BaseException, str, tuple[Operand, ...], str | None] | None = None

    # ---- operations

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if func in self._silent:
            return func(*args, **kwargs) if kwargs else func(*args)
        kwargs = kwargs or {}
        self.saved = 0
        began = perf_counter()
        try:
            result = func(*args, **kwargs)
        except Exception as error:
            self._fails(func, args, kwargs, error)
            raise
        seconds = perf_counter() - began
        made = (result,) if isinstance(result, Tensor) else tuple(tensors_in(result))
        if made or is_told(func):
            if is_quiet(func):
                self._silent.add(func)
                return result
            # What is written to is no result, but is made anew.
            made = made or tuple(args[:1] if writes(func) else ())
            if self._is_terse and not _is_counted(func):
                self._note_unseen(func, made, seconds)
            else:
                line = None if self._is_terse else self.line(sys._getframe(1))
                self.note(func, args, kwargs, made, line, seconds)
        elif isinstance(result, torch.Size) or not isinstance(result, (tuple, list)):
            # Shapes, types and the like: no tensor comes of it the next time either.
            self._silent.add(func)
        return result

    def note(
        self,
        func: Any,
        args: Any,
        kwargs: Any,
        made: tuple[Tensor, ...],
        line: str | None,
        seconds: float,
        *,
        below: bool = False,
        phase: str = "forward",
        layer: tuple[str, int] | None = None,
    ) -> None:
        """Write an operation down."""
        name, full, names = _named(func, len(args))
        inputs: list[Operand] = []
        arguments = {}
        for key, value in (*zip(names, args, strict=False), *kwargs.items()):
            arguments[key] = value if type(value) in SIMPLE else plain(value, self.ledger, inputs)
        number = len(self.operations)
        outputs = self.ledger.made(number, made, storages=below)
        where = layer or self._where()
        operation = Operation(
            number, name, full, phase, *where, line, arguments, tuple(inputs), outputs, seconds, self.saved
        )
        self.saved = 0
        self.operations.append(operation)
        self.sequence.append(torch._C._autograd._get_sequence_nr())
        if self._tell is not None:
            self._tell(_with_values(operation, args, kwargs, made) if self._values else operation)

    def _note_unseen(self, func: Any, made: tuple[Tensor, ...], seconds: float) -> None:
        """Write down that an operation was there, and what it keeps."""
        name, full, _ = _named(func, 0)
        number = len(self.operations)
        self.ledger.made_unseen(number, made)
        operation = Operation(number, name, full, "forward", *self._where(), None, {}, (), (), seconds, self.saved)
        self.operations.append(operation)

    def _where(self) -> tuple[str, int]:
        return (self.open[-1].name, self.open[-1].number) if self.open else ("", -1)

    def _fails(self, func: Any, args: Any, kwargs: Any, error: BaseException) -> None:
        inputs = tuple(map(self.ledger.operand, tensors_in((args, kwargs))))
        self._failing = (error, name_of(func), inputs, self.line(sys._getframe(2)))

    # ---- layers

    def calling(self, original: Callable[..., Any], scripted: AbstractContextManager[Any]) -> Callable[..., Any]:
        """What stands in for `Module.__call__` while the model runs; scripted modules run inside of `scripted`."""

        def call(module: Module, /, *args: Any, **kwargs: Any) -> Any:
            if get_ident() != self._thread:
                return original(module, *args, **kwargs)
            self._enter(module, args, kwargs, sys._getframe(1))
            try:
                if isinstance(module, torch.jit.ScriptModule):
                    with scripted:
                        result = original(module, *args, **kwargs)
                else:
                    result = original(module, *args, **kwargs)
            except BaseException as error:
                self._leave((), error)
                raise
            self._leave(result)
            return result

        self._call_code = call.__code__
        return call

    def _enter(self, module: Module, args: Any, kwargs: Any, frame: FrameType) -> None:
        name = self._names.get(id(module))
        parent = self.open[-1] if self.open else None
        inputs = self._operands(args[0] if len(args) == 1 and not kwargs else (args, kwargs))
        number = len(self.calls)
        self.calls.append(None)
        name = name if name is not None else f"{parent.name if parent else ''}.{type(module).__name__}".lstrip(".")
        line = self.line(frame)
        at = parent.number if parent else None
        self.open.append(OpenCall(number, module, name, line, len(self.operations), inputs, at))

    def _operands(self, value: Any) -> tuple[Operand, ...]:
        with torch._C.DisableTorchFunction():
            if isinstance(value, Tensor):
                return (self.ledger.operand(value),)
            return tuple(map(self.ledger.operand, tensors_in(value)))

    def _leave(self, result: Any, error: BaseException | None = None) -> None:
        left = self.open.pop()
        outputs = self._operands(result)
        text = None
        if error is not None:
            text = f"{type(error).__name__}: {error}"
            if self.failure is None or self.failure[0] is not error:
                self._failed_in(left, error, text)
        self.calls[left.number] = LayerCall(
            left.number,
            left.name,
            type(left.module).__name__,
            left.parent,
            left.line,
            left.first,
            len(self.operations),
            left.inputs,
            outputs,
            perf_counter() - left.began,
            text,
        )

    def _failed_in(self, layer: OpenCall, error: BaseException, text: str) -> None:
        known = self._failing if self._failing is not None and self._failing[0] is error else None
        _, operation, inputs, line = known or (error, None, layer.inputs, layer.line)
        kind = type(layer.module).__name__
        self.failure = (error, Failure(text, layer.name, kind, operation, inputs, line))

    # ---- lines

    def line(self, frame: FrameType | None) -> str | None:
        """The innermost line at or above a frame that belongs to the model's own code, and not to the framework."""
        while frame is not None:
            code = frame.f_code
            if code is self._call_code:
                return self.open[-1].line if self.open else None
            if code is Call.of.__code__:
                # Above are those who look at the model, and not the model.
                return None
            file = code.co_filename
            known = _of_model.get(file)
            if known is None:
                known = _of_model[file] = _is_model_code(code)
            if known:
                return f"{file}:{frame.f_lineno}"
            frame = frame.f_back
        return None


@functools.cache
def _named(func: Any, count: int) -> tuple[str, str, tuple[str, ...]]:
    """Both names of a function, and those of as many arguments."""
    names = argument_names(func)
    names = (*names, *(f"argument {place}" for place in range(len(names), count)))
    return name_of(func), full_name(func), names


@functools.cache
def _is_counted(func: Any) -> bool:
    return is_counted(name_of(func))


def _with_values(operation: Operation, args: Any, kwargs: Any, made: tuple[Tensor, ...]) -> Operation:
    """The operation with its tensors, for as long as it is looked at: what is kept holds none of them alive."""
    taken = list(tensors_in((args, kwargs)))
    inputs = tuple(
        each._replace(tensor=each.tensor._replace(value=tensor.detach()))
        for each, tensor in zip(operation.inputs, taken, strict=False)
    )
    outputs = tuple(each._replace(value=tensor.detach()) for each, tensor in zip(operation.outputs, made, strict=False))
    return operation._replace(inputs=inputs, outputs=outputs)


_of_model: dict[str, bool] = {}


def _is_model_code(code: Any) -> bool:
    if is_own_code(code) or code.co_filename.startswith("<"):
        return False
    in_packages = "site-packages" in code.co_filename or "dist-packages" in code.co_filename
    return is_user_code(code) or (in_packages and library_of(code) != "torch")
