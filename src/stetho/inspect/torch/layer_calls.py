"""The calls of layers while a model runs: each with its tensors, its time, its line, and the error that ended it.

`Recorder` writes down every operation between them, `Tally` only what they cost.
"""

import sys
from abc import abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from threading import get_ident
from time import perf_counter
from types import FrameType
from typing import Any

from torch import Tensor
from torch._C import DisableTorchFunction
from torch.jit import ScriptModule
from torch.nn import Module
from torch.overrides import TorchFunctionMode

from stetho.capture.source import is_own_code, is_user_code, library_of
from stetho.inspect.call import Call
from stetho.inspect.operations import Failure, LayerCall, Operand, Operation, Recording
from stetho.inspect.torch.functions import name_of
from stetho.inspect.torch.ledger import Ledger, tensors_in


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


class LayerCalls(TorchFunctionMode):
    """Sees one call of a model from `__enter__` to `__exit__`, in the thread that made it."""

    def __init__(self, names: dict[int, str], ledger: Ledger) -> None:
        super().__init__()
        self._names = names
        self._thread = get_ident()
        self.ledger = ledger
        self.operations: list[Operation] = []
        self.calls: list[LayerCall | None] = []
        self.open: list[OpenCall] = []
        self.sequence: list[int] = []
        """For each operation, the number of the next autograd node once it was over."""
        self.failure: tuple[BaseException, Failure] | None = None
        self.is_blind = False
        """Whether what happens is our own doing."""
        self._failing: tuple[BaseException, str, tuple[Operand, ...], str | None] | None = None

    def operand(self, tensor: Tensor) -> Operand:
        """What is known of a tensor that an operation or a layer takes."""
        return self.ledger.operand(tensor)

    @abstractmethod
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
        """An operation was done, seen from above autograd or from below."""

    @abstractmethod
    def keep(self, size: int) -> None:
        """So many bytes more are kept for the backward pass."""

    @property
    @abstractmethod
    def count(self) -> int:
        """How many operations were written down so far."""

    @abstractmethod
    def recording(self, failure: Failure | None, seconds: float) -> Recording:
        """All that was seen."""

    def finished(self) -> list[LayerCall]:
        """The calls that are over."""
        return [call for call in self.calls if call is not None]

    def where(self) -> tuple[str, int]:
        """Name and number of the layer at work."""
        return (self.open[-1].name, self.open[-1].number) if self.open else ("", -1)

    def fails(self, func: Any, args: Any, kwargs: Any, error: BaseException) -> None:
        """An operation has failed; called from where it was called."""
        inputs = tuple(map(self.operand, tensors_in((args, kwargs))))
        self._failing = (error, name_of(func), inputs, self.line(sys._getframe(2)))

    def calling(self, original: Callable[..., Any], scripted: AbstractContextManager[Any]) -> Callable[..., Any]:
        """What stands in for `Module._call_impl` while the model runs; scripted modules run inside of `scripted`."""

        def call(module: Module, /, *args: Any, **kwargs: Any) -> Any:
            if get_ident() != self._thread:
                return original(module, *args, **kwargs)
            self._enter(module, args, kwargs, sys._getframe(1))
            try:
                if isinstance(module, ScriptModule):
                    with scripted:
                        result = original(module, *args, **kwargs)
                else:
                    result = original(module, *args, **kwargs)
            except BaseException as error:
                self.leave((), error)
                raise
            self.leave(result)
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
        self.open.append(OpenCall(number, module, name, line, self.count, inputs, at))

    def _operands(self, value: Any) -> tuple[Operand, ...]:
        with DisableTorchFunction():
            return (self.operand(value),) if isinstance(value, Tensor) else tuple(map(self.operand, tensors_in(value)))

    def leave(self, result: Any, error: BaseException | None = None) -> None:
        """A layer has done its work."""
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
            self.count,
            left.inputs,
            outputs,
            perf_counter() - left.began,
            text,
        )
        if not self.open:
            self.left(result)

    def left(self, result: Any) -> None:
        """A call from outside of all layers is over."""

    def _failed_in(self, layer: OpenCall, error: BaseException, text: str) -> None:
        known = self._failing if self._failing is not None and self._failing[0] is error else None
        _, operation, inputs, line = known or (error, None, layer.inputs, layer.line)
        kind = type(layer.module).__name__
        self.failure = (error, Failure(text, layer.name, kind, operation, inputs, line))

    def line(self, frame: FrameType | None) -> str | None:
        """The innermost line at or above a frame that belongs to the model's own code, and not to the framework."""
        while frame is not None:
            code = frame.f_code
            if code is self._call_code:
                return self.open[-1].line if self.open else None
            if code is Call.of.__code__:
                # Above are those who look at the model, and not the model.
                call: Call = frame.f_locals["self"]
                return call.line
            file = code.co_filename
            known = _of_model.get(file)
            if known is None:
                known = _of_model[file] = _is_model_code(code)
            if known:
                return f"{file}:{frame.f_lineno}"
            frame = frame.f_back
        return None


_of_model: dict[str, bool] = {}


def _is_model_code(code: Any) -> bool:
    if is_own_code(code) or code.co_filename.startswith("<"):
        return False
    in_packages = "site-packages" in code.co_filename or "dist-packages" in code.co_filename
    return is_user_code(code) or (in_packages and library_of(code) != "torch")
