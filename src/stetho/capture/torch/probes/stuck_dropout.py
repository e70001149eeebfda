"""Dropout that goes on in evaluation mode, seen by calls of the functions behind it."""

import functools
import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch

from stetho.capture.source import line_of, user_frame
from stetho.capture.torch.patches import Patches

DROPPING = ("dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout", "feature_alpha_dropout")
ATTENTION = "scaled_dot_product_attention"


class StuckDropout:
    """What was dropped while `watching`; `by_default` are the lines where nobody asked for it in words."""

    def __init__(self) -> None:
        self.by_default: list[str] = []
        self.on_purpose: list[str] = []

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Note the calls that drop something."""
        patches = Patches()
        for name in (*DROPPING, ATTENTION):
            patches.replace(torch.nn.functional, name, self._noted)
        try:
            yield
        finally:
            patches.undo()

    def _noted(self, original: Callable[..., Any]) -> Callable[..., Any]:
        if not callable(original) or original.__name__ == ATTENTION:
            return functools.wraps(original)(functools.partial(self._attention, original))
        signature = inspect.signature(original)

        @functools.wraps(original)
        def dropout(*args: Any, **kwargs: Any) -> Any:
            given = signature.bind(*args, **kwargs).arguments
            rate = given.get("p", 0.5)
            is_on = given.get("training", signature.parameters["training"].default)
            if is_on and rate > 0:
                self._add(self.on_purpose if "training" in given else self.by_default)
            return original(*args, **kwargs)

        return dropout

    def _attention(self, original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        rate = kwargs.get("dropout_p", args[4] if len(args) > 4 else 0.0)
        if rate > 0:
            self._add(self.by_default)
        return original(*args, **kwargs)

    def _add(self, lines: list[str]) -> None:
        line = str(line_of(user_frame(sys._getframe(1))))
        if line not in lines:
            lines.append(line)
