"""Counts of every operation of a step, forward and backward: floating point operations, and memory of its results."""

# mypy: allow-untyped-calls

import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.flop_counter import flop_registry

from stetho.capture.guard import Guard
from stetho.capture.source import user_frame
from stetho.profiling.sampling import phase_of
from stetho.profiling.torch.scopes import Scopes

Place = tuple[str, int | None]
"""Phase, and number of the layer."""

NEARLY = 0.01
READ = torch.ops.aten._local_scalar_dense.default
"""What `.item()`, `float()`, `if` and the like come to."""


class Counting(TorchDispatchMode):
    """Looks at each operation on its way below autograd, and passes it on as it is."""

    def __init__(self, guard: Guard, scopes: Scopes) -> None:
        super().__init__()
        self._scopes = scopes
        self._of_node: dict[int, int | None] = {}
        self.flops: dict[Place, int] = defaultdict(int)
        self.bytes: dict[Place, int] = defaultdict(int)
        self.flops_of_op: dict[tuple[str, str], int] = defaultdict(int)
        self.reads: Counter[str] = Counter()
        """By line of the program: how often it handed the value of a tensor to Python."""
        self._alive: list[tuple[StorageWeakRef, int]] = []
        self._at_most = 0
        self.peak = 0
        self._count = guard.wrap("counting", self._on_operation)

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run the operation, then count it."""
        result = func(*args, **(kwargs or {}))
        self._count(func, args, kwargs or {}, result)
        return result

    def _on_operation(self, func: Any, args: Any, kwargs: Any, result: Any) -> None:
        if func is READ:
            self._on_read()
        place = self._place()
        for storage in _new_storages(args, kwargs, result):
            self.bytes[place] += storage.nbytes()
            self._made(storage)
        formula = flop_registry.get(func._overloadpacket) or _attention(func)
        if formula is not None:
            flops = int(formula(*args, **kwargs, out_val=result))
            self.flops[place] += flops
            self.flops_of_op[func._schema.name, place[0]] += flops

    def _on_read(self) -> None:
        frame = sys._getframe()
        user = user_frame(frame)
        # What an optimizer or a loader reads is none of the program's doing.
        if user is not None and not phase_of(frame):
            self.reads[f"{user.f_code.co_filename}:{user.f_lineno}"] += 1

    def _place(self) -> Place:
        node = torch._C._current_autograd_node()
        if node is not None:
            return "backward", self._of_node.get(node._sequence_nr(), self._scopes.current)
        current = self._scopes.current
        # The node of this operation, if it has one, was made just before it came here.
        self._of_node.setdefault(torch._C._autograd._get_sequence_nr() - 1, current)
        return "forward" if current is not None else "other", current

    def start(self) -> None:
        """Begin to count."""
        self.__enter__()

    def stop(self) -> None:
        """Stop counting."""
        self.__exit__(None, None, None)

    def step_done(self) -> None:
        """What was made and what is alive belongs to the step that is over."""
        self._of_node.clear()
        self._alive.clear()
        self._at_most = 0

    def _made(self, storage: torch.UntypedStorage) -> None:
        self._alive.append((StorageWeakRef(storage), storage.nbytes()))
        self._at_most += storage.nbytes()
        # Looking through all that was made is dear, so it is done only where a new peak is possible.
        if self._at_most > self.peak * (1 + NEARLY):
            self._alive = [each for each in self._alive if not each[0].expired()]
            self._at_most = sum(size for _, size in self._alive)
            self.peak = max(self.peak, self._at_most)


def _attention(func: Any) -> Any:
    """The formula for kinds of attention that the framework's own table leaves out, as that on the CPU."""
    name = func._schema.name
    if "scaled_dot_product" not in name:
        return None
    packet = torch.ops.aten._scaled_dot_product_flash_attention
    backward = torch.ops.aten._scaled_dot_product_flash_attention_backward
    formula = flop_registry[backward if name.endswith("_backward") else packet]
    first = 4 if name.endswith("_backward") else 3  # the gradient, then query, key and value
    return lambda *args, out_val, **_: formula(*args[:first], out_val=out_val)


def _new_storages(args: Any, kwargs: Any, result: Any) -> list[torch.UntypedStorage]:
    """The memory of results that is not that of an argument."""
    known = {each.untyped_storage().data_ptr() for each in _tensors((args, kwargs))}
    found = {}
    for each in _tensors(result):
        storage = each.untyped_storage()
        if storage.data_ptr() and storage.data_ptr() not in known:
            found[storage.data_ptr()] = storage
    return list(found.values())


def _tensors(value: Any) -> Iterator[Tensor]:
    if isinstance(value, Tensor):
        if value.layout == torch.strided and value.device.type != "meta":
            yield value
    elif isinstance(value, (tuple, list)):
        for each in value:
            yield from _tensors(each)
    elif isinstance(value, dict):
        for each in value.values():
            yield from _tensors(each)
