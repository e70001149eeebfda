"""The code of a variational model: how much it says of its sample, read off the graph of the loss.

A term of the loss that measures the divergence of a normal distribution from the standard one is known by what it is
made of: a square (of the mean), and an exponential (of the log-variance) or the logarithm of another square (of the
scale). Its value per sample is what the code tells in nats, whatever factor the program gives it.
"""

from collections import deque
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from stetho.capture.torch.losses.differences import name_of

SEARCHED_NODES = 80
SCALINGS = ("Neg", "Mul", "Div")
KEPT = 64


class Posterior:
    """Follows the divergence over the steps whose graph is walked; values stay on their device until asked for."""

    def __init__(self) -> None:
        self._values: list[Tensor] = []
        self._every = 1
        self._seen = 0

    def look(self, start: Any) -> None:
        """The graph of a loss begins at this node."""
        self._seen += 1
        if self._seen % self._every:
            return
        try:
            value = divergence(start)
        except RuntimeError:
            # What the graph kept was changed in place, or is gone after an earlier backward pass.
            return
        if value is None:
            return
        self._values.append(value)
        if len(self._values) >= KEPT:
            self._values, self._every = self._values[::2], 2 * self._every

    def facts(self) -> dict[str, object]:
        """The values over time, in nats per sample; empty if there is no such term."""
        return {"nats": [float(value) for value in self._values]} if self._values else {}


def divergence(start: Any) -> Tensor | None:
    """What a code of normal distributions tells of a sample, on average, in nats; None if the loss has no such term.

    >>> mean, log_variance = torch.ones(4, 2, requires_grad=True), torch.zeros(4, 2, requires_grad=True)
    >>> kl = -0.5 * (1 + log_variance - mean.pow(2) - log_variance.exp()).sum(1).mean()
    >>> float(divergence((kl * 0.1).grad_fn)), divergence(mean.sum().grad_fn)
    (1.0, None)
    """
    trail, seen = deque([start]), {start}
    while trail and len(seen) < SEARCHED_NODES:
        node = trail.popleft()
        if name_of(node) in ("Add", "Sub", "Mul"):
            found = _moments(list(_summands(node, 6)))
            if found is not None:
                return _nats(*found)
        for before, _ in node.next_functions:
            if before is not None and before not in seen:
                seen.add(before)
                trail.append(before)
    return None


def _summands(node: Any, left: int) -> Iterator[Any]:
    """What is added up elementwise, through factors that are plain numbers."""
    operands = [before for before, _ in node.next_functions if before is not None]
    is_sum = name_of(node) in ("Add", "Sub") or (name_of(node) in SCALINGS and len(operands) == 1)
    if left and is_sum and operands:
        for operand in operands:
            yield from _summands(operand, left - 1)
    else:
        yield node


def _moments(summands: list[Any]) -> tuple[Tensor, Tensor] | None:
    """The mean and the variance, if these are the summands of a divergence."""
    squares = [node for node in summands if _is_square(node)]
    for node in summands:
        if name_of(node) == "Exp":
            variance, means = node._saved_result, squares
        elif name_of(node) == "Log" and any(node.next_functions[0][0] is square for square in squares):
            variance, means = node._saved_self, [s for s in squares if node.next_functions[0][0] is not s]
        else:
            continue
        mean = next((square._saved_self for square in means if square._saved_self.shape == variance.shape), None)
        if mean is not None and mean.dim() >= 2:
            return mean.detach(), variance.detach()
    return None


def _is_square(node: Any) -> bool:
    if name_of(node) == "Pow":
        return not isinstance(node._saved_exponent, Tensor) and float(node._saved_exponent) == 2
    if name_of(node) != "Mul" or node._saved_self is None or node._saved_other is None:
        return False
    return bool(node._saved_self.data_ptr() == node._saved_other.data_ptr())


def _nats(mean: Tensor, variance: Tensor) -> Tensor:
    with torch.no_grad():
        each = 0.5 * (mean.square() + variance - 1 - variance.log())
        return each.sum() / mean.shape[0]
