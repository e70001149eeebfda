"""Distances that a loss makes small and distances that it makes large, in a margin between both: how large they are.

A similarity counts as minus a distance. What is chosen out of a batch may be chosen by its distance, so that is noted.
"""

import functools
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from stetho.capture.text.margins import margin_at
from stetho.capture.torch.losses.differences import LONGEST, RESHAPING, name_of
from stetho.capture.torch.losses.flagged import flagged_distances
from stetho.capture.torch.losses.views import View

CUTTING = (*RESHAPING, "Mean", "Sum", "Div", "Relu", "Clamp", "ClampMin", "Softplus")
ADDING = ("Add", "Sub")
CHOOSING = ("Index", "Gather", "IndexSelect")
MOST_LOOKS = 256
MOST_NODES = 40
LEAST_SCORE = -1e4
"""What is below is masked."""


class Pairs:
    """The mean of both distances, in the steps that are looked at."""

    def __init__(self) -> None:
        self._pulled: list[float] = []
        self._pushed: list[float] = []
        self._inputs: list[tuple[float, float]] = []
        self._is_chosen = False
        self._flagged = ""
        """Where a loss goes backward whose pairs each have a flag."""

    @property
    def wants_more(self) -> bool:
        """Whether another loss would be looked at."""
        return len(self._pulled) < MOST_LOOKS

    def look(self, loss: Tensor, passes: Sequence[View] = (), line: str = "") -> None:
        """A loss goes backward, after these passes of a model, at this line."""
        try:
            with torch.no_grad():
                sides = _sides(loss.grad_fn)
                found = _both(_distance, *sides) if sides is not None else flagged_distances(loss.grad_fn)
        except RuntimeError:
            # What was changed in place since it was saved cannot be read.
            return
        if found is not None:
            self._flagged = line if sides is None else self._flagged
            self._pulled.append(found[0])
            self._pushed.append(found[1])
            self._is_chosen |= _is_chosen(loss.grad_fn)
            apart = _both(functools.partial(_inputs_apart, passes), *sides) if sides is not None else None
            self._inputs += [apart] if apart is not None else []

    def contrast(self, scores: Tensor, target: Tensor) -> None:
        """A choice among the samples of a batch: the scores of what is right are made large, all others small."""
        right = scores.detach().float().gather(1, target.unsqueeze(1))
        others = scores.detach().float().scatter(1, target.unsqueeze(1), float("nan"))
        others = others[torch.isfinite(others) & (others > LEAST_SCORE)]
        if others.numel() > 0 and bool(torch.isfinite(right).all()):
            self._pulled.append(-float(right.mean()))
            self._pushed.append(-float(others.mean()))

    def result(self) -> dict[str, object] | None:
        """Both series; None where no such loss was seen."""
        if not self._pulled:
            return None
        inputs = {
            "pulled_inputs": [near for near, _ in self._inputs],
            "pushed_inputs": [far for _, far in self._inputs],
        }
        written = {"line": margin_at(self._flagged)} if self._flagged else {}
        return {"pulled": self._pulled, "pushed": self._pushed, "chosen": self._is_chosen, **inputs, **written}


def distances_in(start: Any) -> tuple[float, float] | None:
    """The mean distance that falls with the loss and the one that grows, where it is their difference and a margin."""
    sides = _sides(start)
    return _both(_distance, *sides) if sides is not None else None


def _both(measure: Callable[[Any], float | None], one: Any, other: Any) -> tuple[float, float] | None:
    first, second = measure(one), measure(other)
    return (first, second) if first is not None and second is not None else None


def _sides(start: Any) -> tuple[Any, Any] | None:
    """The nodes of both distances, if a loss is the difference of two, cut off at a margin."""
    node, is_cut = start, False
    for _ in range(LONGEST):
        operands = [before for before, _ in node.next_functions if before is not None] if node is not None else []
        if name_of(node) == "Sub" and len(operands) == 2 and is_cut:
            return operands[0], operands[1]
        if len(operands) != 1 or name_of(node) not in (*CUTTING, *ADDING):
            return None
        is_cut |= name_of(node) in ("Relu", "Clamp", "ClampMin", "Softplus")
        node = operands[0]
    return None


def _distance(node: Any) -> float | None:
    """The mean of a distance that a graph keeps: the root of squares, or their sum."""
    for _ in range(LONGEST):
        operands = [before for before, _ in node.next_functions if before is not None] if node is not None else []
        name = name_of(node)
        if name in ("LinalgVectorNorm", "Norm", "Sqrt"):
            return float(node._saved_result.detach().float().mean())
        if name == "Pow" and float(node._saved_exponent) == 2:
            return _mean(node._saved_self.detach().float().square())
        if name == "Mul" and len(operands) == 2:
            return -_mean((node._saved_self * node._saved_other).detach().float())
        if len(operands) != 1 or name not in (*RESHAPING, "Sum", "Mean", "Add", "ClampMin"):
            return None
        node = operands[0]
    return None


def _inputs_apart(passes: Sequence[View], node: Any) -> float | None:
    """How far the inputs lie apart whose outputs a distance is between, if each has a pass of its own."""
    known = {output: view for view in passes for output in view.nodes}
    trail, seen, ends = [node], {node}, []
    for each in trail:
        if each in known:
            ends.append(known[each].inputs)
            continue
        for before, _ in each.next_functions:
            if before is not None and before not in seen and len(seen) < MOST_NODES:
                seen.add(before)
                trail.append(before)
    if len(ends) != 2 or not all(one.is_floating_point() for one in ends) or ends[0].shape != ends[1].shape:
        return None
    return _mean((ends[0].float() - ends[1].float()).square())


def _mean(parts: Tensor) -> float:
    return float(parts.flatten(1).sum(1).mean() if parts.dim() > 1 else parts.mean())


def _is_chosen(start: Any) -> bool:
    """Whether one of the operations next to a loss takes some rows out of others."""
    trail, seen = [start], {start}
    for node in trail:
        if name_of(node) in CHOOSING:
            return True
        for before, _ in node.next_functions:
            if before is not None and before not in seen and len(seen) < MOST_NODES:
                seen.add(before)
                trail.append(before)
    return False
