"""Scores that were made with the labels at hand, as a margin is: the right answer is treated unlike the others."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from stetho.capture.torch.losses.differences import name_of

MOST_NODES = 40
KEEPS = {
    "Where": "_saved_condition",
    "MaskedFill": "_saved_mask",
    "Mul": "_saved_other",
    "Scatter": "_saved_index",
    "IndexPut": "_saved_indices",
}
"""What an operation keeps of the places that it treats in another way."""


def know_labels(scores: Tensor, labels: Tensor) -> bool:
    """Whether an operation on the way to the scores chooses those of the labels among them.

    >>> scores, labels = torch.rand(3, 4, requires_grad=True), torch.tensor([2, 0, 3])
    >>> is_right = torch.nn.functional.one_hot(labels, 4)
    >>> know_labels(9 * torch.where(is_right > 0, scores - 0.3, scores), labels), know_labels(9 * scores, labels)
    (True, False)
    """
    if labels.is_floating_point() or scores.dim() != 2 or labels.shape != scores.shape[:1] or scores.shape[1] < 2:
        return False
    with torch.no_grad():
        try:
            return any(_are_places(kept, scores, labels) for kept in _kept(scores))
        except RuntimeError:
            # What was changed in place since it was saved cannot be read.
            return False


def _kept(scores: Tensor) -> Iterator[Tensor]:
    """What operations keep that lie before the scores, and whose results are of their shape."""
    trail: list[Any] = [scores.grad_fn]
    seen = set(trail)
    while trail and len(seen) < MOST_NODES:
        node = trail.pop(0)
        made = getattr(node, "_input_metadata", ())
        if not made or tuple(made[0].shape) != scores.shape:
            continue
        name = name_of(node)
        kept = getattr(node, KEEPS[name]) if name in KEEPS else None
        yield from (each for each in (kept if isinstance(kept, tuple | list) else [kept]) if isinstance(each, Tensor))
        if name == "Mul" and node._saved_self is not None:
            yield node._saved_self
        following = [before for before, _ in node.next_functions if before is not None and before not in seen]
        seen.update(following)
        trail += following


def _are_places(kept: Tensor, scores: Tensor, labels: Tensor) -> bool:
    """Whether these are the labels, or a mask of their places or of all others."""
    if kept.dtype is torch.int64 and kept.numel() == labels.numel():
        return bool((kept.reshape(-1) == labels).all())
    if kept.shape != scores.shape:
        return False
    is_marked, is_label = kept != 0, torch.zeros_like(kept, dtype=torch.bool).scatter_(1, labels[:, None], value=True)
    return torch.equal(is_marked, is_label) or torch.equal(is_marked, ~is_label)
