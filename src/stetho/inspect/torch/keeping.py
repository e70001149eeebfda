"""What is kept for the backward pass: counted, and let go again where nobody runs one."""

import weakref
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import torch
from torch import Tensor

from stetho.inspect.torch.layer_calls import LayerCalls
from stetho.inspect.torch.ledger import storage_of


class LetGo(Exception):
    """A backward pass inside of the model asked for a tensor that was not kept."""


class Keeping:
    """Tells a recorder how many bytes an operation keeps: each storage once, and none of the model's own tensors.

    Where tensors are let go, a model takes no more memory than without gradients, and is faster for it.
    """

    def __init__(self, recorder: LayerCalls, own: Mapping[int, Tensor], *, lets_go: bool) -> None:
        self._recorder = recorder
        self._lets_go = lets_go
        self._own = own
        # By address, which another storage may have once this one is freed; the model's own are not freed. A weak
        # reference below Python would leave a small block where each was, and the heap would grow around those.
        self._seen: dict[int, weakref.ref[object] | None] = dict.fromkeys(map(storage_of, own.values()))
        self.is_missed = False
        """Whether something was asked for that was let go: what came of it is no result."""

    def _new_bytes(self, tensor: Tensor) -> int:
        """The bytes of a storage that is seen for the first time; zero for one that is known, or has no place."""
        try:
            storage = tensor.untyped_storage()
        except (NotImplementedError, RuntimeError):
            return 0
        place = storage._cdata
        if place in self._seen:
            known = self._seen[place]
            if known is None or known() is storage:
                return 0
        self._seen[place] = weakref.ref(storage)
        return storage.nbytes()

    def _pack(self, tensor: Tensor) -> Tensor | None:
        if id(tensor) not in self._own and (size := self._new_bytes(tensor)):
            self._recorder.keep(size)
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
