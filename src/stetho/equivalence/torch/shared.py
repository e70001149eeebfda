"""The model of a program in DistributedDataParallel, though the program knows nothing of it."""

from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor, distributed
from torch.nn import Module
from torch.nn.parallel import DistributedDataParallel

NEEDED = "gets no gradient in some steps: DistributedDataParallel has to be made with find_unused_parameters=True"


class Shared:
    """Calls of a model in a training, which go through DistributedDataParallel from the first one on."""

    def __init__(self, *, finds_unused: bool) -> None:
        self._finds_unused = finds_unused
        self._whole: DistributedDataParallel | None = None
        self._is_inside = False

    def calling(self, original: Callable[..., Any], is_trained: Callable[[Module], bool]) -> Callable[..., Any]:
        """What stands in for `Module.__call__`."""

        def call(module: Module, /, *args: Any, **kwargs: Any) -> Any:
            if self._is_inside or not torch.is_grad_enabled():
                return original(module, *args, **kwargs)
            self._is_inside = True
            try:
                if self._whole is None and is_trained(module):
                    self._whole = DistributedDataParallel(module, find_unused_parameters=self._finds_unused)
                if self._whole is None or self._whole.module is not module:
                    return original(module, *args, **kwargs)
                return original(self._whole, *args, **kwargs)
            finally:
                self._is_inside = False

        return call

    def average_others(self, parameters: Iterable[Tensor]) -> None:
        """What is trained besides the model is no part of it, and has to be averaged like it."""
        own = {id(each) for each in self._whole.parameters()} if self._whole is not None else set()
        for parameter in parameters:
            if id(parameter) not in own and parameter.grad is not None:
                distributed.all_reduce(parameter.grad)
                parameter.grad /= distributed.get_world_size()
