"""NaN that the program hides: `nan_to_num` is told of what it is given."""

from collections.abc import Callable

import torch
from torch import Tensor

from stetho.capture.guard import Guard
from stetho.capture.torch.autopsy.nonfinite import can_be_bad, trouble_of
from stetho.capture.torch.patches import Patches

HIDING = ("nan_to_num", "nan_to_num_")


class Hiding:
    """Looks at what is given to `nan_to_num` while somebody wants it; `is_seen` is for them to reset."""

    def __init__(self, guard: Guard, is_wanted: Callable[[], bool]) -> None:
        self._guard = guard
        self._is_wanted = is_wanted
        self.is_seen = False

    def install(self, patches: Patches) -> None:
        """Begin to look."""
        hidden = self._guard.wrap("nan_to_num", self._on_call, naps=True)
        patches.around(torch, "nan_to_num", before=lambda *given, **_: hidden(*given))
        for name in HIDING:
            patches.around(Tensor, name, before=lambda *given, **_: hidden(*given))

    def _on_call(self, tensor: object = None, *_: object) -> None:
        if self.is_seen or not self._is_wanted() or not can_be_bad(tensor):
            return
        trouble = trouble_of(tensor)  # type: ignore[arg-type]  # a tensor, as just tested
        self.is_seen = trouble is not None and trouble.nan
