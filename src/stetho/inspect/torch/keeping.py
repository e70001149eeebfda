"""What is kept for the backward pass: counted, and let go again where nobody runs one."""

import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import torch
from torch import Tensor

from stetho.inspect.torch.layer_calls import LayerCalls
from stetho.inspect.torch.ledger import storage_of


class LetGo(Exception):
    """A backward pass inside of the model asked for a tensor that was not kept."""


def _nothing() -> None:
    """Stands for a storage that was never seen."""


class Keeping:
    """Tells a recorder how many bytes an operation keeps: each storage once, and none of the model's own tensors.

    Where tensors are let go, a model takes no more memory than without gradients, and is faster for it.
    """

    def __init__(self, recorder: LayerCalls, own: Mapping[int, Tensor], *, lets_go: bool) -> None:
        self._recorder = recorder
        self._own = own
        self._lets_go = lets_go
        # By address, which another storage may have once this one is freed; the model's own are not freed. A weak
        # reference below Python would leave a small block where each was, and the heap would grow around those.
        self._seen: dict[int, Callable[[], object] | None] = dict.fromkeys(map(storage_of, own.values()))
        self.is_missed = False
        """Whether something was asked for that was let go: what came of it is no result."""

    def _pack(self, tensor: Tensor) -> Tensor | None:
        if self._lets_go and id(tensor) in self._own:
            return None  # half of what is kept are weights: nothing more is asked of them
        try:
            storage = tensor.untyped_storage()
            place = storage._cdata
            known = self._seen.get(place, _nothing)
            if known is not None and known() is not storage:
                self._seen[place] = weakref.ref(storage)
                if size := storage.nbytes():
                    self._recorder.keep(size)
        except (NotImplementedError, RuntimeError):
            pass  # it has no place, and so no bytes that could be counted
        if self._lets_go:
            return None
        recorder = self._recorder
        recorder.is_blind = True
        # A result that its own node keeps would never be freed.
        kept = tensor.detach()
        recorder.is_blind = False
        return kept

    def _unpack(self, kept: Tensor | None) -> Tensor:
        if kept is None:
            self.is_missed = True
            raise LetGo
        return kept

    @contextmanager
    def counted(self) -> Iterator[None]:
        """While this lasts, everything that autograd keeps passes by here."""
        with torch.autograd.graph.saved_tensors_hooks(self._pack, self._unpack):
            yield
