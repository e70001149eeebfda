"""What the layers of a model cost, and nothing else of its operations: a summary asks for no more.

Of operations that count as FLOPs it needs the shapes, of all others that they were there. Python runs slowly between
the kernels of a model, whose data fills the caches; so what is done for each operation is as little as can be.
"""

import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from threading import get_ident
from time import perf_counter
from typing import Any

import torch
from torch import Tensor
from torch._C import DisableTorchFunction
from torch.nn import Module

from stetho.inspect.flops import is_counted
from stetho.inspect.operations import Failure, LayerCall, Operand, Operation, Recording, TensorFacts
from stetho.inspect.torch.functions import described, is_quiet, is_told, name_of
from stetho.inspect.torch.layer_calls import LayerCalls, OpenCall
from stetho.inspect.torch.ledger import Ledger, facts_of, tensors_in
from stetho.inspect.torch.usual_layers import UsualWork, are_others_looking, is_as_usual

SILENT, UNCOUNTED, COUNTED = range(3)


Noted = tuple[Any, int, list[Any], dict[str, Any], list[Any]]
"""An operation as it is written down while the model runs: the function, the call of a layer, arguments, named ones and
results, with the facts of tensors in their places."""


class Tally(LayerCalls):
    """Adds up one call of a model; `own` are the identities of its parameters, and some layers do `usual` work."""

    def __init__(
        self, names: dict[int, str], ledger: Ledger, own: Collection[int], usual: Mapping[int, UsualWork]
    ) -> None:
        super().__init__(names, ledger)
        self._own = own
        self._usual = usual
        self._kinds: dict[Any, int] = {}
        self._noted: list[Noted] = []
        self.kept: Counter[int] = Counter()
        """By the number of a call of a layer, the bytes that its own operations keep for the backward pass."""
        self.uncounted = 0
        """How many operations are not written down, as they count as no FLOPs."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kind = self._kinds.get(func)
        try:
            result = func(*args, **kwargs) if kwargs else func(*args)
        except Exception as error:
            self.fails(func, args, kwargs, error)
            raise
        if kind is None:
            kind = self._learn(func, result)
        if kind == COUNTED:
            self._note(func, args, kwargs, (result,))
        elif kind == UNCOUNTED:
            self.uncounted += 1
            if not self.open:
                self.ledger.made_unseen(self.uncounted, tensors_in(result))
        return result

    def calling(self, original: Callable[..., Any], scripted: AbstractContextManager[Any]) -> Callable[..., Any]:
        """Layers that are known do their work unseen."""
        seen = super().calling(original, scripted)
        if are_others_looking():
            return seen

        def call(module: Module, /, *args: Any, **kwargs: Any) -> Any:
            usual = self._usual.get(id(module))
            if usual is None or not self.open or not is_as_usual(module, args, kwargs) or get_ident() != self._thread:
                return seen(module, *args, **kwargs)
            opened = self._opened(module, self.line(sys._getframe(1)))
            try:
                with DisableTorchFunction():
                    taken = (Operand(facts_of(args[0])),)
                    result = original(module, *args)
                    if usual.function is not None:
                        self._note(usual.function, (*args, *module._parameters.values()), None, (result,))
                    given = tuple([Operand(facts_of(each)) for each in tensors_in(result)])
            except Exception:
                self._forget(opened)
                # Once more, to see in which operation.
                return seen(module, *args)
            self._close(opened, usual, taken, given)
            return result

        return call

    def _opened(self, module: Module, line: str | None) -> OpenCall:
        above, number = self.open[-1].number, len(self.calls)
        self.calls.append(None)
        opened = OpenCall(number, module, self._names[id(module)], line, len(self._noted), (), above)
        self.open.append(opened)
        return opened

    def _forget(self, opened: OpenCall) -> None:
        self.open.pop()
        self.calls.pop()
        self.kept.pop(opened.number, None)

    def _close(
        self, opened: OpenCall, usual: UsualWork, taken: tuple[Operand, ...], given: tuple[Operand, ...]
    ) -> None:
        self.open.pop()
        number, module = opened.number, opened.module
        kind, seconds = type(module).__name__, perf_counter() - opened.began
        self.calls[number] = LayerCall(
            number, opened.name, kind, opened.parent, opened.line, opened.first, len(self._noted), taken, given, seconds
        )
        self.uncounted += usual.uncounted
        if usual.while_training and module.training:
            self.uncounted += usual.while_training

    def _learn(self, func: Any, result: Any) -> int:
        """What a function is, from the first time that it is called."""
        if next(tensors_in(result), None) is not None:
            kind = SILENT if is_quiet(func) else COUNTED if is_counted(name_of(func)) else UNCOUNTED
        elif is_told(func):
            kind = UNCOUNTED
        elif isinstance(result, (tuple, list)) and not isinstance(result, torch.Size):
            return SILENT  # this time: an empty list may hold tensors the next time
        else:
            kind = SILENT
        self._kinds[func] = kind
        return kind

    def note(self, func: Any, args: Any, kwargs: Any, made: tuple[Tensor, ...], *_: object, **__: object) -> None:
        """An operation was done, seen from above autograd or from below."""
        if is_counted(name_of(func)):
            self._note(func, args, kwargs, made)
        else:
            self.uncounted += 1

    def _note(self, func: Any, args: Any, kwargs: Any, made: Any) -> None:
        layer = self.open[-1].number if self.open else -1
        if layer < 0:
            self.ledger.made_unseen(len(self._noted), tensors_in(made))
        named = dict(zip(kwargs, self._told(kwargs.values()), strict=True)) if kwargs else {}
        self._noted.append((func, layer, self._told(args), named, self._told(made)))

    def _told(self, values: Iterable[Any]) -> list[Any]:
        """Values that hold no tensor alive; the model's own live anyway, and can be looked at later."""
        own = self._own
        return [
            (value if id(value) in own else facts_of(value))
            if isinstance(value, Tensor)
            else self._told(value)
            if isinstance(value, (tuple, list))
            else value
            for value in values
        ]

    def operand(self, tensor: Tensor) -> Operand:
        """Who made a tensor is asked only where the model is called."""
        return Operand(facts_of(tensor)) if self.open else self.ledger.operand(tensor)

    def keep(self, size: int) -> None:
        """The layer at work keeps so many bytes more."""
        self.kept[self.open[-1].number if self.open else -1] += size

    def left(self, result: Any) -> None:
        """What the model as a whole gives is made, and not given to it."""
        self.ledger.made_unseen(self.uncounted, tensors_in(result))

    @property
    def count(self) -> int:
        """How many operations were written down so far."""
        return len(self._noted)

    def recording(self, failure: Failure | None, seconds: float) -> Recording:
        """All that was seen."""
        operations = [self._operation(number, noted) for number, noted in enumerate(self._noted)]
        return Recording(operations, self.finished(), failure, seconds, self.kept, self.uncounted)

    def _operation(self, number: int, noted: Noted) -> Operation:
        function, call, args, kwargs, made = noted
        name, _full, names = described(function, len(args))
        inputs: list[Operand] = []
        arguments = {}
        for key, value in (*zip(names, args, strict=False), *kwargs.items()):
            if isinstance(value, (str, bool)):
                # The formula of einsum, the direction of a convolution: costs depend on no other arguments.
                arguments[key] = value
            elif value is not None:
                inputs += _factors_in(value)
        outputs = tuple([each.tensor for each in _factors_in(made)])
        over = self.calls[call] if call >= 0 else None
        layer = over.name if over is not None else ""
        return Operation(number, name, name, "forward", layer, call, None, arguments, tuple(inputs), outputs)


def _factors_in(value: Any) -> Iterator[Operand]:
    if isinstance(value, TensorFacts):
        yield Operand(value)
    elif isinstance(value, Tensor):
        yield Operand(facts_of(value), None, "parameter")
    elif isinstance(value, list):
        for each in value:
            yield from _factors_in(each)
