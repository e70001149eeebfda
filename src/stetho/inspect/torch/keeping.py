"""What is kept for the backward pass: counted, and let go again where nobody runs one."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import torch
from torch import Tensor
from torch.multiprocessing.reductions import StorageWeakRef

from stetho.inspect.torch.ledger import storage_of
from stetho.inspect.torch.recorder import Recorder


class LetGo(Exception):
    """A backward pass inside of the model asked for a tensor that was not kept."""


class Keeping:
    """Tells a recorder how many bytes an operation keeps: each storage once, and no parameters.

    Where tensors are let go, a model takes no more memory than without gradients, and is faster for it.
    """

    def __init__(self, recorder: Recorder, parameters: Iterable[Tensor], *, lets_go: bool) -> None:
        parameters = list(parameters)
        self._recorder = recorder
        self._lets_go = lets_go
        self._own = set(map(id, parameters))
        # Referred to weakly, a storage that is freed leaves its address to no other; a parameter's is not freed.
        self._seen: dict[int, StorageWeakRef | None] = dict.fromkeys(map(storage_of, parameters))
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
            return 0
        self._seen[place] = StorageWeakRef(storage)  # type: ignore[no-untyped-call]
        return storage.nbytes()

    def _pack(self, tensor: Tensor) -> Tensor | None:
        recorder = self._recorder
        if id(tensor) not in self._own:
            recorder.saved += self._new_bytes(tensor)
        if self._lets_go:
            return None
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
