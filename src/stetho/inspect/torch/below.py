"""Operations below autograd: those of backward passes, and of code that Python does not see (TorchScript)."""

import sys
from bisect import bisect_right
from time import perf_counter
from typing import Any

import torch
from torch import Tensor
from torch._C import DisableTorchFunction
from torch.utils._python_dispatch import TorchDispatchMode

from stetho.inspect.torch.layer_calls import LayerCalls
from stetho.inspect.torch.ledger import tensors_in


class Below(TorchDispatchMode):
    """Tells a recorder of every operation that reaches the dispatcher."""

    def __init__(self, recorder: LayerCalls, phase: str = "forward") -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._recorder = recorder
        self._phase = phase
        self._forward = list(recorder.sequence)

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if self._recorder.is_blind:
            return func(*args, **kwargs)
        began = perf_counter()
        with DisableTorchFunction():  # else the recorder hears of it a second time, from above
            result = func(*args, **kwargs)
        seconds = perf_counter() - began
        made: tuple[Tensor, ...] = tuple(tensors_in(result))
        if made:
            line, layer = self._where()
            self._recorder.note(func, args, kwargs, made, line, seconds, below=True, phase=self._phase, layer=layer)
        return result

    def _where(self) -> tuple[str | None, tuple[str, int] | None]:
        """Line and layer: in a backward pass those of the forward operation whose gradient is computed."""
        node = torch._C._current_autograd_node() if self._phase == "backward" else None
        if node is None:
            return self._recorder.line(sys._getframe(2)), None
        place = bisect_right(self._forward, node._sequence_nr())
        if place >= len(self._forward):
            return None, ("", -1)
        about = self._recorder.operations[place]
        return about.line, (about.layer, about.call)
