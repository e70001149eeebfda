"""The autograd graph between the loss and the model: which operations, over which dimension, in which shapes.

The graph tells what no argument of a loss function does: that a softmax came before it, that shapes were broadcast,
which parameters the loss depends on, and whether graphs of earlier steps are still alive.
"""

import functools
import weakref
from collections import deque
from collections.abc import Iterator
from typing import Any

from torch import Tensor

from stetho.capture.torch.layers import on_gradient
from stetho.capture.torch.leaves import tensor_leaves
from stetho.capture.torch.models import Models

LISTED_OPS = 40
OPS_IN_MODEL = 8
COUNTED_NODES = 20_000
DENSE = 6
"""The graph is walked in so many full steps, then in every twentieth."""
REMEMBERED_GRAPHS = 64
KEPT_VALUES = 100_000
WHOLE_MASK = (1 << 63) - 1


class LossGraphs:
    """Looks at the graph of the loss when a backward pass begins."""

    def __init__(self, models: Models) -> None:
        self._models = models
        self._outputs: dict[Any, tuple[int, ...]] = {}
        self.values: dict[Any, Tensor] = {}
        self._tags: deque[weakref.ref[Any]] = deque(maxlen=REMEMBERED_GRAPHS)
        self._looked = 0
        self.seen: dict[str, dict[str, object]] = {}

    def pass_done(self, output: object) -> None:
        """A training pass gave this output: the graph of the model ends here."""
        for _, tensor in tensor_leaves(output):
            if tensor.grad_fn is None:
                continue
            if not self._outputs:
                # Our hook lives exactly as long as the graph it hangs on.
                tag = functools.partial(_nothing)
                on_gradient(tensor, tag)
                self._tags.append(weakref.ref(tag))
            self._outputs.setdefault(tensor.grad_fn, tuple(tensor.shape))
            # The program may have let go of its output when the backward pass begins; large ones we do not keep for it.
            if tensor.numel() <= KEPT_VALUES:
                self.values.setdefault(tensor.grad_fn, tensor.detach())

    def look(self, loss: Tensor, line: str, value: object) -> dict[str, object]:
        """Walk the graph of a loss; returns what belongs into the row of the step."""
        self._looked += 1
        facts: dict[str, object] = {"graphs_alive": sum(tag() is not None for tag in self._tags) - bool(self._outputs)}
        if loss.grad_fn is None or (self._looked > DENSE and self._looked % 20):
            return facts
        nodes, reached = _extent(loss.grad_fn, self._models)
        facts["graph_nodes"] = nodes
        if line not in self.seen:
            self.seen[line] = {
                "line": line,
                "value": value if isinstance(value, float) else None,
                "shape": list(loss.shape),
                "ops": list(self._until_model(loss.grad_fn)),
                "output_ops": [_op(node) for node in _in_model(next(iter(self._outputs), None))],
                "output_shape": list(next(iter(self._outputs.values()), ())),
                "nodes": nodes,
                "reached": reached,
            }
        return facts

    def step_done(self) -> None:
        """Keep no graph past its step."""
        self._outputs.clear()
        self.values.clear()

    def clear(self) -> None:
        """Forget everything that is alive."""
        self.step_done()
        self._tags.clear()

    def _until_model(self, start: Any) -> Iterator[dict[str, object]]:
        """The operations from the loss back, each with the place in this list of the one that takes its result."""
        trail: deque[tuple[Any, int | None]] = deque([(start, None)])
        seen, place = {start}, 0
        while trail and len(seen) < LISTED_OPS:
            node, feeds = trail.popleft()
            if node in self._outputs or hasattr(node, "variable"):
                continue
            operands = [before for before, _ in node.next_functions if before is not None]
            read = next((before for before in operands if before in self._outputs), None)
            facts: dict[str, object] = {"feeds": feeds, "inputs": len(operands), "reads_output": read is not None}
            if read is not None and read is not next(iter(self._outputs)):
                facts["output_ops"] = [_op(inner) for inner in _in_model(read)]
            yield _op(node) | facts
            for before in operands:
                if before not in seen:
                    seen.add(before)
                    trail.append((before, place))
            place += 1


def _in_model(output: Any) -> Iterator[Any]:
    """The last operations that made an output."""
    node = output
    for _ in range(OPS_IN_MODEL):
        if node is None or hasattr(node, "variable"):
            return
        yield node
        node = next((before for before, _ in node.next_functions if _carries_data(before)), None)


def _carries_data(node: Any) -> bool:
    """Whether a node lies on the way of the data: not a parameter, nor the transpose of one."""
    if node is None or hasattr(node, "variable"):
        return False
    return not all(hasattr(before, "variable") for before, _ in node.next_functions if before is not None)


def _nothing(_gradient: Tensor) -> None:
    """A hook that only marks a graph."""


def _op(node: Any) -> dict[str, object]:
    shapes = [list(one.shape) for one in getattr(node, "_input_metadata", ())]
    name = type(node).__name__.rstrip("0123456789").removesuffix("Backward")
    if name == "Sub" and node.next_functions[0][0] is None:
        # A constant minus this: the sign turns.
        name = "Rsub"
    found: dict[str, object] = {
        "op": name,
        "shape": shapes[0] if shapes else None,
    }
    dim = getattr(node, "_saved_dim", None)
    if isinstance(dim, int):
        found["dim"] = dim if dim <= WHOLE_MASK else dim - (1 << 64)
    return found


def _extent(start: Any, models: Models) -> tuple[int, list[str]]:
    """How many nodes a graph has, and the names of the parameters it ends in."""
    trail, seen, reached = [start], {start}, []
    while trail and len(seen) < COUNTED_NODES:
        node = trail.pop()
        leaf = getattr(node, "variable", None)
        weight = models.weight(leaf) if isinstance(leaf, Tensor) else None
        if weight is not None:
            reached.append(weight.name)
        for before, _ in node.next_functions:
            if before is not None and before not in seen:
                seen.add(before)
                trail.append(before)
    return len(seen), sorted(reached)
