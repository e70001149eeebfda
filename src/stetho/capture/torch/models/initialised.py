"""Lines of the program that set the values of parameters themselves."""

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
        self._methods = Patches()
        self._is_new: Callable[[Tensor], bool] = lambda _: True
        self.is_on = False
        self._lines: dict[int, str] = {}
        self._noted = guard.wrap("parameter initialised", self._note)

    def install(self) -> None:
        """Begin to follow."""
        self.is_on = True
        for patches, owner, names in ((self._patches, torch.nn.init, FUNCTIONS), (self._methods, Tensor, METHODS)):
            for name in names:
                patches.replace(owner, name, self._wrapped)

    def rest(self, is_new: Callable[[Tensor], bool]) -> None:
        """Leave the methods of tensors as they are: what calls them now is the training.

        `nn.init` is still followed for parameters that are new, as of adapters that are made once a model is in use.
        """
        self.is_on = False
        self._is_new = lambda tensor: type(tensor) is torch.nn.Parameter and is_new(tensor)
        self._methods.undo()

    def stop(self) -> None:
        """Leave the framework as it is."""
        self.is_on = False
        self._methods.undo()
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
        if not isinstance(tensor, Tensor) or type(tensor) not in (Tensor, torch.nn.Parameter):
            return
        if len(self._lines) < MOST and tensor.layout is torch.strided and self._is_new(tensor):
            self._lines[tensor.data_ptr()] = str(line_of(frame))
