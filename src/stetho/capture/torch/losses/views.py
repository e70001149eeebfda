"""Two views of a batch that a loss compares, as in contrastive learning: are they the same to the last bit?"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import torch
from torch import Tensor

from stetho.capture.text.assignments import last_input_made_at
from stetho.capture.torch.calls.leaves import first_tensor, tensor_leaves
from stetho.capture.torch.calls.passes import Pass
from stetho.capture.torch.losses.differences import name_of

COMPARING = frozenset(("Mm", "Bmm", "Mul", "Sub", "Div", "Cdist", "EuclideanDist", "Dist", "Addmm", "Baddbmm"))
DISTANCES = frozenset(("MseLoss", "L1Loss", "SmoothL1Loss", "HuberLoss"))
MOST_LOOKS = 30
MOST_PASSES = 4
MOST_ELEMENTS = 1 << 20
MOST_NODES = 2000


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A training pass: what went in, what came out, and the nodes of the graph that it came out of."""

    entry: object
    inputs: Tensor
    output: Tensor
    nodes: frozenset[Any]
    place: tuple[str, int] | None


class Views:
    """Passes of the step under way; how often two that a loss compares were one and the same."""

    def __init__(self) -> None:
        self._passes: list[View] = []
        self._looks = 0
        self._same = 0
        self._line: str | None = None

    def add(self, done: Pass, args: object, output: object) -> None:
        """A training pass gave this output."""
        inputs, first = first_tensor(args), first_tensor(output)
        if len(self._passes) >= MOST_PASSES or inputs is None or first is None:
            return
        if inputs.layout is not torch.strided or first.layout is not torch.strided:
            # A graph of which rows lie beside each other is no batch, and has no halves.
            return
        nodes = frozenset(tensor.grad_fn for _, tensor in tensor_leaves(output) if tensor.grad_fn is not None)
        if nodes and first.dim() > 1 and len(first) > 3 and max(inputs.numel(), first.numel()) <= MOST_ELEMENTS:
            self._passes.append(View(done.entry, inputs.detach(), first.detach(), nodes, done.place))

    @property
    def passes(self) -> list[View]:
        """The passes of the step so far."""
        return self._passes

    def look(self, loss: Tensor) -> None:
        """A loss goes backward: which of the passes does it compare?"""
        passes, self._passes = self._passes if self._looks < MOST_LOOKS else [], []
        for pair in _pairs(passes):
            if not _are_compared(loss.grad_fn, *(view.nodes for view in pair)):
                continue
            self._looks += 1
            if _is_same(*pair):
                self._same += 1
                self._line = _line(pair[1])
            return

    def clear(self) -> None:
        """Keep nothing past the step."""
        self._passes = []

    def result(self) -> dict[str, object] | None:
        """How often views were compared, and how often they were the same."""
        return {"looks": self._looks, "same": self._same, "line": self._line} if self._looks else None


def _pairs(passes: list[View]) -> Iterator[tuple[View, View]]:
    """Passes of one and the same module, over batches of one shape; or the halves of one batch, if they are equal."""
    for one, other in combinations(passes, 2):
        if (
            one.entry is other.entry
            and one.inputs.shape == other.inputs.shape
            and one.output.shape == other.output.shape
        ):
            yield one, other
    for view in passes if len(passes) == 1 else ():
        half, odd = divmod(len(view.inputs), 2)
        if not odd and len(view.output) == 2 * half and torch.equal(view.inputs[:half], view.inputs[half:]):
            halves = [(view.inputs[part], view.output[part]) for part in (slice(half), slice(half, None))]
            first, second = (View(view.entry, *given, view.nodes, view.place) for given in halves)
            yield first, second


def _is_same(one: View, other: View) -> bool:
    """Whether nothing differs: not what went in, nor what random numbers inside of the model made of it."""
    return torch.equal(one.inputs, other.inputs) and torch.equal(one.output, other.output)


def _are_compared(start: Any, one: Iterable[Any], other: Iterable[Any]) -> bool:
    """Whether an operation between many numbers takes one output on one side and the other on its other side."""
    below = _below(start, {*one, *other})
    first, second = _above(below, one), _above(below, other)
    for node in below:
        operands = [before for before, _ in node.next_functions if before is not None]
        is_comparing = name_of(node) in DISTANCES or (name_of(node) in COMPARING and _size(node) > 1)
        if is_comparing and len(operands) == 2:
            sides = [(side in first, side in second) for side in operands]
            if (sides[0][0] and sides[1][1]) or (sides[0][1] and sides[1][0]):
                return True
    return False


def _below(start: Any, ends: set[Any]) -> list[Any]:
    """The nodes from a loss back to these, in that order."""
    trail, seen = [start], {start}
    for node in trail:
        if node in ends or len(seen) > MOST_NODES:
            continue
        for before, _ in node.next_functions:
            if before is not None and before not in seen:
                seen.add(before)
                trail.append(before)
    return trail


def _above(nodes: list[Any], ends: Iterable[Any]) -> set[Any]:
    """Those of the nodes that depend on one of these."""
    found = set(ends)
    while True:
        more = {n for n in nodes if n not in found and any(before in found for before, _ in n.next_functions)}
        if not more:
            return found
        found |= more


def _size(node: Any) -> int:
    shapes = getattr(node, "_input_metadata", ())
    return int(torch.Size(shapes[0].shape).numel()) if shapes else 0


def _line(view: View) -> str | None:
    if view.place is None:
        return None
    called = f"{view.place[0]}:{view.place[1]}"
    return last_input_made_at(called) or called
