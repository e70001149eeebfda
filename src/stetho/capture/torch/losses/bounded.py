"""Scores that are products of vectors of one length: they have a bound, and what a loss can reach has one too."""

from typing import Any

import torch
from torch import Tensor

from stetho.capture.torch.losses.differences import RESHAPING, name_of

PASSED = (*RESHAPING, "T", "Transpose", "Permute", "Expand", "MaskedFill", "Index", "Gather", "Cat", "Select", "Slice")
TO_SCORES = (*RESHAPING, "NllLoss", "Mean", "Sum", "Neg", "Mul", "Div", "Add", "Index", "Gather", "Diagonal")
MOST_NODES = 40
MOST_LOOKS = 5
SAME = 1e-3


class Bounded:
    """The largest score that a softmax can be given, and among how many it chooses."""

    def __init__(self) -> None:
        self._looks = 0
        self._found: dict[str, object] | None = None

    def look(self, loss: Tensor) -> None:
        """A loss goes backward."""
        if self._looks >= MOST_LOOKS or loss.grad_fn is None:
            return
        self._looks += 1
        try:
            with torch.no_grad():
                self._found = _read(loss.grad_fn)
        except RuntimeError:
            # What was changed in place since it was saved cannot be read.
            self._looks = MOST_LOOKS

    def result(self) -> dict[str, object] | None:
        """What was found in the loss that was looked at last."""
        return self._found


def _read(start: Any) -> dict[str, object] | None:
    softmax = _softmax(start)
    if softmax is None:
        return None
    shape, dim = softmax._saved_result.shape, softmax._saved_dim
    dim = dim if dim < 1 << 32 else dim - (1 << 64)
    bound = _bound(softmax.next_functions[0][0])
    return {"bound": bound, "choices": int(shape[dim])} if bound is not None else None


def _softmax(start: Any) -> Any:
    """The logarithm of a softmax next to the loss."""
    trail, seen = [start], {start}
    for node in trail:
        if name_of(node) == "LogSoftmax":
            return node
        if name_of(node) not in TO_SCORES:
            continue
        for before, _ in node.next_functions:
            if before is not None and before not in seen and len(seen) < MOST_NODES:
                seen.add(before)
                trail.append(before)
    return None


def _bound(node: Any) -> float | None:
    """How large products of vectors of one length become, times what they are multiplied with; None for others."""
    scale = 1.0
    for _ in range(MOST_NODES):
        name = name_of(node) if node is not None else ""
        if name in ("Mm", "Bmm"):
            one, other = _length(node._saved_self, -1), _length(node._saved_mat2, -2)
            return scale * one * other if one is not None and other is not None else None
        operands = [before for before, _ in node.next_functions if before is not None] if node is not None else []
        if name in ("Mul", "Div"):
            number = _number(node)
            if number is None or len(operands) != 1:
                return None
            scale *= abs(number) if name == "Mul" else 1 / max(abs(number), 1e-30)
        elif name not in PASSED or not operands:
            return None
        node = operands[0]
    return None


def _number(node: Any) -> float | None:
    found = [each for each in (node._saved_self, node._saved_other) if isinstance(each, Tensor)]
    return float(found[0]) if len(found) == 1 and found[0].numel() == 1 else None


def _length(vectors: object, dim: int) -> float | None:
    """The length of vectors that all have the same."""
    if not isinstance(vectors, Tensor) or vectors.numel() == 0:
        return None
    lengths = vectors.detach().float().norm(dim=dim)
    mean = float(lengths.mean())
    return mean if bool(((lengths - mean).abs() < SAME * mean).all()) else None
