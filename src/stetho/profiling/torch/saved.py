"""What the forward pass keeps for the backward pass: bytes by layer, each storage counted once in a step."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor

from stetho.capture.guard import Guard
from stetho.profiling.torch.scopes import Scopes


class Saved:
    """Hooks on the tensors that autograd saves. What they give back is the same memory, so nothing changes."""

    def __init__(self, guard: Guard, scopes: Scopes) -> None:
        self._scopes = scopes
        self._seen: set[int] = set()
        self._weights: set[int] = set()
        self.bytes: dict[int | None, int] = defaultdict(int)
        self.is_on = False
        self._note: Callable[[Tensor], None] = guard.wrap("saved tensor", self._on_saved)

    def start(self, parameters: Iterable[Tensor]) -> bool:
        """Begin; parameters are there anyway and are left out. False where the program has such hooks of its own."""
        if _top() is not None:
            return False
        self._weights = {storage for each in parameters if (storage := _storage(each)) is not None}
        torch._C._autograd._push_saved_tensors_default_hooks(self._pack, self._unpack)
        self.is_on = True
        return True

    def stop(self) -> None:
        """End."""
        if self.is_on and _top() is not None:
            torch._C._autograd._pop_saved_tensors_default_hooks()
        self.is_on = False

    def step_done(self) -> None:
        """What is saved from now on belongs to the next step."""
        self._seen.clear()

    def _pack(self, tensor: Tensor) -> Tensor:
        self._note(tensor)
        # Not the tensor itself: a node that keeps its own output would keep itself alive for ever.
        return tensor.detach()

    def _unpack(self, tensor: Tensor) -> Tensor:
        return tensor

    def _on_saved(self, tensor: Tensor) -> None:
        storage = _storage(tensor)
        if storage is None or storage in self._seen or storage in self._weights:
            return
        self._seen.add(storage)
        self.bytes[self._scopes.current] += tensor.untyped_storage().nbytes()


def _top() -> Any:
    return torch._C._autograd._top_saved_tensors_default_hooks(True)


def _storage(tensor: Tensor) -> int | None:
    """The address of a tensor's memory; None for those that have none, as on the meta device."""
    try:
        return tensor.untyped_storage().data_ptr() or None
    except (NotImplementedError, RuntimeError):
        return None
