"""Whether gradients were set to zero between two steps of an optimizer, whichever way the program does it."""

import weakref

from torch import Tensor
from torch.optim import Optimizer

SENTINELS = 3
LOOKED_AT = 64


class Staleness:
    """Looks at a few gradients of each optimizer when a backward pass begins: used ones should be gone or zero."""

    def __init__(self) -> None:
        self._sentinels: dict[int, list[weakref.ref[Tensor]]] = {}
        self._stale: dict[int, bool | None] = {}

    def step_done(self, optimizer: Optimizer) -> None:
        """The gradients that are there now have been used."""
        if id(optimizer) in self._sentinels and self._sentinels[id(optimizer)]:
            self._stale[id(optimizer)] = None
            return
        used = [p for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
        chosen = [used[0], used[len(used) // 2], used[-1]] if used else []
        self._sentinels[id(optimizer)] = [weakref.ref(parameter) for parameter in chosen[:SENTINELS]]
        self._stale[id(optimizer)] = None

    def backward_begins(self) -> None:
        """Used gradients that are still there are stale; once seen gone, they are fresh until the next step."""
        for optimizer, stale in self._stale.items():
            if stale is not False and (sentinels := self._sentinels[optimizer]):
                self._stale[optimizer] = _are_there(sentinels)

    def of(self, optimizer: Optimizer) -> bool | None:
        """Whether the gradients of the coming step contain those of the last one; None if that cannot be told."""
        return self._stale.get(id(optimizer))

    def forget(self, optimizer: int) -> None:
        """The optimizer of that id is gone, and a new one has taken its place."""
        self._sentinels.pop(optimizer, None)
        self._stale.pop(optimizer, None)

    def clear(self) -> None:
        """Forget."""
        self._sentinels.clear()
        self._stale.clear()


def _are_there(sentinels: list[weakref.ref[Tensor]]) -> bool:
    for sentinel in sentinels:
        parameter = sentinel()
        if parameter is not None and (gradient := parameter.grad) is not None and _is_there(gradient.detach()):
            return True
    return False


def _is_there(gradient: Tensor) -> bool:
    if gradient.is_sparse:
        return gradient._nnz() > 0
    flat = gradient.reshape(-1)
    return bool(flat[:LOOKED_AT].any()) or (flat.numel() > LOOKED_AT and bool(flat.any()))
