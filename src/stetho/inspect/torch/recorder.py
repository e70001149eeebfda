"""Writes down what a model does while it runs: functions of torch in their order, and the calls of layers around them.

Functions are seen above autograd, as people write them (`linear`, `lstm`), by a function mode; what has no such form
(backward passes, TorchScript) is seen below it, by `stetho.inspect.torch.below`.
"""

import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any

import torch
from torch import Tensor

from stetho.inspect.operations import Failure, Operand, Operation, Recording
from stetho.inspect.torch.functions import described, is_quiet, is_told, writes
from stetho.inspect.torch.layer_calls import LayerCalls
from stetho.inspect.torch.ledger import SIMPLE, Ledger, plain, tensors_in

OnOperation = Callable[[Operation], object]


class Recorder(LayerCalls):
    """Records one call of a model, and tells every operation as it happens."""

    def __init__(
        self,
        names: dict[int, str],
        ledger: Ledger,
        on_operation: OnOperation | None = None,
        *,
        values: bool = False,
    ) -> None:
        super().__init__(names, ledger)
        self._tell = on_operation
        self._values = values
        self._saved = 0
        self._silent: set[Any] = set()

    def keep(self, size: int) -> None:
        """The operation under way keeps so many bytes more."""
        self._saved += size

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if func in self._silent:
            return func(*args, **kwargs) if kwargs else func(*args)
        kwargs = kwargs or {}
        self._saved = 0
        began = perf_counter()
        try:
            result = func(*args, **kwargs)
        except Exception as error:
            self.fails(func, args, kwargs, error)
            raise
        seconds = perf_counter() - began
        made = (result,) if isinstance(result, Tensor) else tuple(tensors_in(result))
        if made or is_told(func):
            if is_quiet(func):
                self._silent.add(func)
                return result
            # What is written to is no result, but is made anew.
            made = made or tuple(args[:1] if writes(func) else ())
            self.note(func, args, kwargs, made, self.line(sys._getframe(1)), seconds)
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
        name, full, names, is_open = described(func, tuple(map(type, args)))
        if is_open:
            args = (*args[: len(names) - 1], args[len(names) - 1 :])
        inputs: list[Operand] = []
        arguments = {}
        for key, value in (*zip(names, args, strict=False), *kwargs.items()):
            arguments[key] = value if type(value) in SIMPLE else plain(value, self.ledger, inputs)
        number = len(self.operations)
        outputs = self.ledger.made(number, made, storages=below)
        where = layer or self.where()
        operation = Operation(
            number, name, full, phase, *where, line, arguments, tuple(inputs), outputs, seconds, self._saved
        )
        self._saved = 0
        self.operations.append(operation)
        self.sequence.append(torch._C._autograd._get_sequence_nr())
        if self._tell is not None:
            self._tell(_with_values(operation, args, kwargs, made) if self._values else operation)

    @property
    def count(self) -> int:
        """How many operations were written down so far."""
        return len(self.operations)

    def recording(self, failure: Failure | None, seconds: float) -> Recording:
        """All that was seen."""
        return Recording(self.operations, self.finished(), failure, seconds)


def _with_values(operation: Operation, args: Any, kwargs: Any, made: tuple[Tensor, ...]) -> Operation:
    """The operation with its tensors, for as long as it is looked at: what is kept holds none of them alive."""
    taken = list(tensors_in((args, kwargs)))
    inputs = tuple(
        each._replace(tensor=each.tensor._replace(value=tensor.detach()))
        for each, tensor in zip(operation.inputs, taken, strict=False)
    )
    outputs = tuple(each._replace(value=tensor.detach()) for each, tensor in zip(operation.outputs, made, strict=False))
    return operation._replace(inputs=inputs, outputs=outputs)
