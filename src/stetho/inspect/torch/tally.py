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
from stetho.inspect.operations import Failure, LayerCall, Operand, Operation, Recording
from stetho.inspect.torch.functions import described, is_quiet, is_told, name_of
from stetho.inspect.torch.layer_calls import LayerCalls
from stetho.inspect.torch.ledger import Ledger, facts_from, facts_of, tensors_in
from stetho.inspect.torch.usual_layers import UsualWork, are_others_looking, is_as_usual

SILENT, UNCOUNTED, COUNTED = range(3)


Bare = tuple[tuple[int, ...], torch.dtype, torch.device, bool]
"""A tensor as it is written down while the model runs; what people read is made of it afterwards."""
Noted = tuple[Any, int, list[Any], dict[str, Any], list[Any]]
"""An operation as it is written down while the model runs: the function, the call of a layer, arguments, named ones and
results, with bare facts in the place of tensors. Those are the only tuples: others have become lists."""
Worked = tuple[int, Module, int, str | None, int, int, Bare, list[Any], float]
"""A call of a layer of known work: its number, the layer, the call that it happened in, the line, the first and last
operation, what it took and gave, its seconds."""


class Tally(LayerCalls):
    """Adds up one call of a model; `own` are the identities of its parameters, and some layers do `usual` work."""

    def __init__(
        self, names: dict[int, str], ledger: Ledger, own: Collection[int], usual: Mapping[int, UsualWork]
    ) -> None:
        super().__init__(names, ledger)
        self._own = own
        self._usual = usual
        self._kinds: dict[Any, int] = {}
        self._facts: dict[Bare, Operand] = {}
        self._worked: list[Worked] = []
        self._within = -1
        """The number of the call of a layer of known work, while that is at it."""
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
        work_of, open_calls, thread = self._usual.get, self.open, self._thread

        def call(module: Module, /, *args: Any, **kwargs: Any) -> Any:
            usual = work_of(id(module))
            if usual is None or kwargs or not (open_calls and is_as_usual(module, args)) or get_ident() != thread:
                return seen(module, *args, **kwargs)
            number, first, given = len(self.calls), len(self._noted), args[0]
            line = self.line(sys._getframe(1))
            self.calls.append(None)
            self._within = number
            began = perf_counter()
            try:
                with DisableTorchFunction():
                    # Before the call, which may write over it.
                    taken = given.shape, given.dtype, given.device, given.requires_grad
                    result = original(module, given)
                    made = [bare(result)] if type(result) is Tensor else list(map(bare, tensors_in(result)))
            except Exception:
                self.calls.pop()
                self.kept.pop(number, None)
                # Once more, to see in which operation.
                self._within = -1
                return seen(module, *args)
            self._within = -1
            if usual.function is not None:
                factors = [taken, *module._parameters.values()]
                self._noted.append((usual.function, number, factors, {}, made))
            else:
                self.uncounted += usual.uncounted + (usual.while_training if module.training else 0)
            seconds, above = perf_counter() - began, self.open[-1].number
            self._worked.append((number, module, above, line, first, len(self._noted), taken, made, seconds))
            return result

        return call

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
        layer = self._at()
        if layer < 0:
            self.ledger.made_unseen(len(self._noted), tensors_in(made))
        named = dict(zip(kwargs, self._told(kwargs.values()), strict=True)) if kwargs else {}
        self._noted.append((func, layer, self._told(args), named, self._told(made)))

    def _told(self, values: Iterable[Any]) -> list[Any]:
        """Values that hold no tensor alive; the model's own live anyway, and can be looked at later."""
        own = self._own
        return [
            (value if id(value) in own else bare(value))
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
        self.kept[self._at()] += size

    def _at(self) -> int:
        """The number of the call at work."""
        return self._within if self._within >= 0 else self.open[-1].number if self.open else -1

    def left(self, result: Any) -> None:
        """What the model as a whole gives is made, and not given to it."""
        self.ledger.made_unseen(self.uncounted, tensors_in(result))

    @property
    def count(self) -> int:
        """How many operations were written down so far."""
        return len(self._noted)

    def recording(self, failure: Failure | None, seconds: float) -> Recording:
        """All that was seen."""
        for worked in self._worked:
            self.calls[worked[0]] = self._call(*worked)
        operations = [self._operation(number, noted) for number, noted in enumerate(self._noted)]
        return Recording(operations, self.finished(), failure, seconds, self.kept, self.uncounted)

    def _operation(self, number: int, noted: Noted) -> Operation:
        function, call, args, kwargs, made = noted
        # A tuple stands for a tensor here.
        kinds = tuple([Tensor if isinstance(each, tuple) else type(each) for each in args])
        name, _full, names, is_open = described(function, kinds)
        if is_open:
            args = [*args[: len(names) - 1], list(args[len(names) - 1 :])]
        inputs: list[Operand] = []
        arguments = {}
        for key, value in (*zip(names, args, strict=False), *kwargs.items()):
            if isinstance(value, (str, bool)):
                # The formula of einsum, the direction of a convolution: costs depend on no other arguments.
                arguments[key] = value
            elif value is not None:
                inputs += self._factors_in(value)
        outputs = tuple([each.tensor for each in self._factors_in(made)])
        over = self.calls[call] if call >= 0 else None
        layer = over.name if over is not None else ""
        return Operation(number, name, name, "forward", layer, call, None, arguments, tuple(inputs), outputs)

    def _call(
        self,
        number: int,
        module: Module,
        above: int,
        line: str | None,
        first: int,
        last: int,
        taken: Bare,
        made: list[Bare],
        seconds: float,
    ) -> LayerCall:
        inputs, outputs = (self._known(taken),), tuple([self._known(each) for each in made])
        name, kind = self._names[id(module)], type(module).__name__
        return LayerCall(number, name, kind, above, line, first, last, inputs, outputs, seconds)

    def _known(self, tensor: Bare) -> Operand:
        known = self._facts.get(tensor)
        if known is None:
            known = self._facts[tensor] = Operand(facts_from(*tensor))
        return known

    def _factors_in(self, value: Any) -> Iterator[Operand]:
        if isinstance(value, tuple):
            yield self._known(value)
        elif isinstance(value, Tensor):
            yield Operand(facts_of(value), None, "parameter")
        elif isinstance(value, list):
            for each in value:
                yield from self._factors_in(each)


def bare(tensor: Tensor) -> Bare:
    """What there is to know of a tensor, as torch has it.

    >>> bare(torch.zeros(2, 3))
    (torch.Size([2, 3]), torch.float32, device(type='cpu'), False)
    """
    return (-1,) if tensor.is_nested else tensor.shape, tensor.dtype, tensor.device, tensor.requires_grad
