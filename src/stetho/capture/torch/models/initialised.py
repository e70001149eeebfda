"""Lines of the program that set the values of parameters themselves, before the first model is put to use."""

import sys
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from stetho.capture.guard import Guard
from stetho.capture.source import is_user_code, line_of
from stetho.capture.torch.patches import Patches

FUNCTIONS = (
    "constant_", "dirac_", "eye_", "kaiming_normal_", "kaiming_uniform_", "normal_", "ones_", "orthogonal_", "sparse_",
    "trunc_normal_", "uniform_", "xavier_normal_", "xavier_uniform_", "zeros_",
)  # fmt: skip
METHODS = ("copy_", "fill_", "mul_", "normal_", "sub_", "uniform_", "zero_")
MOST = 10_000


class Initialised:
    """Follows `nn.init` and the methods of tensors that do the same, as far as the program calls them itself."""

    def __init__(self, guard: Guard) -> None:
        self._patches = Patches()
        self.is_on = False
        self._lines: dict[int, str] = {}
        self._noted = guard.wrap("parameter initialised", self._note)

    def install(self) -> None:
        """Begin to follow."""
        self.is_on = True
        for owner, names in ((torch.nn.init, FUNCTIONS), (Tensor, METHODS)):
            for name in names:
                self._patches.replace(owner, name, self._wrapped)

    def stop(self) -> None:
        """Leave the framework as it is: whatever comes now belongs to the training."""
        if self.is_on:
            self.is_on = False
            self._patches.undo()

    def clear(self) -> None:
        """Forget the lines."""
        self.stop()
        self._lines.clear()

    def line(self, parameter: Tensor) -> str | None:
        """Where the program set the values of a parameter last; by its memory, for `data` is another tensor."""
        return self._lines.get(parameter.data_ptr()) if self._lines and not parameter.is_sparse else None

    def _wrapped(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def initialise(*args: Any, **kwargs: Any) -> Any:
            if is_user_code(sys._getframe(1).f_code):
                self._noted(args[0] if args else kwargs.get("tensor"), sys._getframe(1))
            return original(*args, **kwargs)

        initialise.__wrapped__ = original  # type: ignore[attr-defined]
        return initialise

    def _note(self, tensor: object, frame: Any) -> None:
        if type(tensor) in (Tensor, torch.nn.Parameter) and len(self._lines) < MOST and tensor.layout is torch.strided:  # type: ignore[attr-defined]
            self._lines[tensor.data_ptr()] = str(line_of(frame))  # type: ignore[attr-defined]
