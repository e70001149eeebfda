"""Puts our line in the place of torch's own text for a tensor, and back."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from stetho.capture.torch.failure.tensors import tensor_line

_original: Any = Tensor.__repr__
_users: set[object] = set()


def replace_repr() -> Callable[[], None]:
    """Print tensors as one line until the function that this gives back, and those of all others, are called."""
    user = object()
    _users.add(user)
    if Tensor.__repr__ is not _line:
        globals()["_original"] = Tensor.__repr__
        Tensor.__repr__ = _line  # type: ignore[method-assign, assignment]

    def put_back() -> None:
        _users.discard(user)
        # Whoever has put another text in its place since then keeps it.
        if not _users and Tensor.__repr__ is _line:
            Tensor.__repr__ = _original  # type: ignore[method-assign]

    return put_back


def _line(tensor: Tensor, *, tensor_contents: object = None) -> str:
    if tensor_contents is not None or torch.compiler.is_compiling():
        return str(_original(tensor, tensor_contents=tensor_contents))
    try:
        return tensor_line(tensor)
    except Exception:  # what cannot be read in our way is printed in torch's
        return str(_original(tensor))
