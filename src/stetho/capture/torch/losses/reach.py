"""Which leaves of the autograd graph a loss depends on."""

from typing import Any

from torch import Tensor

MOST_NODES = 50_000


def trainable_leaves(loss: Tensor) -> list[Tensor]:
    """Every leaf that a backward pass from `loss` gives a gradient to, in the order they are met.

    >>> import torch
    >>> weight = torch.ones(2, requires_grad=True)
    >>> trainable_leaves((weight * 3).sum())[0] is weight
    True
    """
    found: dict[int, Tensor] = {}
    trail: list[Any] = [loss.grad_fn]
    seen: set[Any] = set()
    while trail and len(seen) < MOST_NODES:
        node = trail.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        leaf = getattr(node, "variable", None)
        if isinstance(leaf, Tensor):
            found.setdefault(id(leaf), leaf)
        trail.extend(before for before, _ in node.next_functions)
    return list(found.values())
