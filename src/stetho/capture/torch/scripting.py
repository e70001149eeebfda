"""TorchScript under watch: it reads the source of what it finds, and looks names up in the frame of who called it."""

import functools
import inspect
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from stetho.capture.torch.patches import Make


def scripting(around: Callable[[Any], AbstractContextManager[None]]) -> Make:
    """Puts `around(what is compiled)` around a `torch.jit.script`.

    >>> from contextlib import nullcontext
    >>> import torch
    >>> def double(x: int) -> int:
    ...     return 2 * x
    >>> scripting(lambda _: nullcontext())(lambda function: function)(double) is double
    True
    """

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        counts_frames = _counts_frames(original)

        @functools.wraps(original)
        def script(obj: Any, optimize: Any = None, _frames_up: int = 0, *args: Any, **kwargs: Any) -> Any:
            with around(obj):
                if not counts_frames:
                    return original(obj, *([] if optimize is None else [optimize]), *args, **kwargs)
                # The names of a class are those of the frame that many above; ours is one more.
                return original(obj, optimize, _frames_up + 1, *args, **kwargs)

        return script

    return make


def _counts_frames(function: Callable[..., Any]) -> bool:
    """Whether it is the `script` of torch, or one of ours; the program may have put one of its own there."""
    try:
        return "_frames_up" in inspect.signature(function, follow_wrapped=False).parameters
    except (TypeError, ValueError):
        return False
