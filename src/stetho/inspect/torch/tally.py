"""What the layers of a model cost, and nothing else of its operations: a summary asks for no more.

Of operations that count as FLOPs it needs the shapes, of all others that they were there. Python runs slowly between
the kernels of a model, whose data fills the caches; so what is done for each operation is as little as can be.
"""

from collections import Counter
from collections.abc import Collection
from typing import Any

import torch
from torch import Tensor

from stetho.inspect.flops import is_counted
from stetho.inspect.operations import Operand, Operation
from stetho.inspect.torch.functions import described, is_quiet, is_told, name_of
from stetho.inspect.torch.layer_calls import LayerCalls
from stetho.inspect.torch.ledger import Ledger, facts_of, tensors_in

SILENT, UNCOUNTED, COUNTED = range(3)


class Tally(LayerCalls):
    """Adds up one call of a model; `own` are the identities of its parameters."""

    def __init__(self, names: dict[int, str], ledger: Ledger, own: Collection[int]) -> None:
        super().__init__(names, ledger)
        self._own = own
        self._kinds: dict[Any, int] = {}
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
            self.note(func, args, kwargs or {}, tuple(tensors_in(result)))
        elif kind == UNCOUNTED:
            self.uncounted += 1
            if not self.open:
                self.ledger.made_unseen(self.uncounted, tensors_in(result))
        return result

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
        name, _full, names = described(func, len(args))
        if not is_counted(name):
            self.uncounted += 1
            return
        inputs: list[Operand] = []
        arguments = {}
        for key, value in (*zip(names, args, strict=False), *kwargs.items()):
            if isinstance(value, (str, bool)):
                # The formula of einsum, the direction of a convolution: costs depend on no other arguments.
                arguments[key] = value
            elif value is not None:
                inputs += map(self._factor, tensors_in(value))
        number, outputs = len(self.operations), tuple(map(facts_of, made))
        where = self.where()
        self.operations.append(
            Operation(number, name, name, "forward", *where, None, arguments, tuple(inputs), outputs)
        )
        if not self.open:
            self.ledger.made_unseen(number, made)

    def operand(self, tensor: Tensor) -> Operand:
        """Who made a tensor is asked only where the model is called."""
        return Operand(facts_of(tensor)) if self.open else self.ledger.operand(tensor)

    def _factor(self, tensor: Tensor) -> Operand:
        return Operand(facts_of(tensor), None, "parameter" if id(tensor) in self._own else None)

    def keep(self, size: int) -> None:
        """The layer at work keeps so many bytes more."""
        self.kept[self.open[-1].number if self.open else -1] += size

    def left(self, result: Any) -> None:
        """What the model as a whole gives is made, and not given to it."""
        self.ledger.made_unseen(self.uncounted, tensors_in(result))
