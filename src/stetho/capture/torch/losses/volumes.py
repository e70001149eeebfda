"""Layers that say by how much they stretch what they are given, as those of a normalising flow do.

Such a layer gives its output and, for each sample, the logarithm of the change of volume. What the batch really did,
its covariance tells, roughly; in which direction the loss drives the logarithm, its sign on the way from the loss.
"""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from stetho.capture.torch.calls.leaves import first_tensor
from stetho.capture.torch.losses.differences import RESHAPING, name_of
from stetho.capture.torch.losses.graph_nodes import is_negative, is_subtracted

LINEAR = (*RESHAPING, "Mean", "Sum", "Add", "Sub", "Rsub", "Neg", "Mul", "Div", "Stack", "Cat")
MOST_LOOKS = 300
MOST_LAYERS = 16
MOST_FEATURES = 16
MOST_NODES = 400


@dataclass(frozen=True, slots=True, eq=False)
class Stretch:
    """One pass of such a layer: the logarithm it gives, its node, and the change of volume of the batch."""

    node: Any
    said: float
    volume: float


class Volumes:
    """What layers say of volumes and what they do to them, step by step."""

    def __init__(self) -> None:
        self._passes: list[Stretch] = []
        self._said: list[float] = []
        self._volume: list[float] = []
        self._signs: set[int] = set()

    def add(self, args: object, output: object) -> None:
        """A pass gave this output."""
        if len(self._said) >= MOST_LOOKS or len(self._passes) >= MOST_LAYERS:
            return
        inputs = first_tensor(args)
        if inputs is None or not isinstance(output, tuple | list) or len(output) != 2:
            return
        result, logarithm = output
        if not (isinstance(result, Tensor) and isinstance(logarithm, Tensor)) or logarithm.grad_fn is None:
            return
        is_table = inputs.dim() == 2 and inputs.is_floating_point() and inputs.shape[1] <= MOST_FEATURES
        if not is_table or result.shape != inputs.shape or logarithm.numel() != len(inputs) < 4 * inputs.shape[1]:
            return
        volume = _log_volume(result) - _log_volume(inputs)
        self._passes.append(Stretch(logarithm.grad_fn, float(logarithm.detach().mean()), volume))

    def look(self, loss: Tensor) -> None:
        """A loss goes backward: which way does it drive these logarithms?"""
        passes, self._passes = self._passes, []
        signs = _signs(loss.grad_fn, {each.node for each in passes}) if passes else {}
        for each in passes:
            if each.node in signs and abs(each.volume) < float("inf"):
                self._signs.add(signs[each.node])
                self._said.append(each.said)
                self._volume.append(each.volume)

    def clear(self) -> None:
        """Keep nothing past the step."""
        self._passes = []

    def result(self) -> dict[str, object] | None:
        """Both series, and the sign of the logarithms in the loss; None where it is not always the same."""
        if not self._said or len(self._signs) != 1:
            return None
        return {"said": self._said, "volume": self._volume, "sign": next(iter(self._signs))}


def _log_volume(samples: Tensor) -> float:
    """Half the logarithm of the determinant of the covariance."""
    values = samples.detach().double()
    return 0.5 * float(torch.logdet(torch.cov(values.T).reshape(values.shape[1], values.shape[1])))


def _signs(start: Any, ends: set[Any]) -> dict[Any, int]:
    """The sign with which each of these nodes goes into a loss, where only sums and constant factors lie between."""
    trail, seen, found = [(start, 1)], {start}, {}
    for node, sign in trail:
        if node in ends:
            found[node] = sign
            continue
        operands = [before for before, _ in node.next_functions if before is not None]
        name = name_of(node)
        if name not in LINEAR or (name in ("Mul", "Div") and len(operands) > 1) or len(seen) > MOST_NODES:
            continue
        turned = name in ("Neg", "Rsub") or is_negative(node) or (name == "Sub" and node.next_functions[0][0] is None)
        for before in operands:
            if before not in seen:
                seen.add(before)
                trail.append((before, -sign if turned != is_subtracted(before, node) else sign))
    return found
