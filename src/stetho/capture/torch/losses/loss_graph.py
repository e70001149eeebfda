"""The autograd graph between the loss and the model: which operations, over which dimension, in which shapes.

The graph tells what no argument of a loss function does: that a softmax came before it, that shapes were broadcast,
which parameters the loss depends on, and whether graphs of earlier steps are still alive.
"""

import functools
import weakref
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from torch import Tensor

from stetho.capture.torch.calls.layers import on_gradient
from stetho.capture.torch.calls.leaves import tensor_leaves
from stetho.capture.torch.losses.graph_nodes import in_model, is_negative, is_subtracted, op_of
from stetho.capture.torch.losses.posterior import Posterior
from stetho.capture.torch.models.models import Models

LISTED_OPS = 40
FOLLOWED_OPERANDS = 4
COUNTED_NODES = 20_000
DENSE = 6
"""The graph is walked in so many full steps, then in every twentieth."""
REMEMBERED_GRAPHS = 64
KEPT_VALUES = 100_000


class LossGraphs:
    """Looks at the graph of the loss when a backward pass begins."""

    def __init__(self, models: Models, may_read: Callable[[], bool] = lambda: True) -> None:
        self._models = models
        self._may_read = may_read
        self._outputs: dict[Any, tuple[int, ...]] = {}
        self.values: dict[Any, Tensor] = {}
        self._tags: deque[weakref.ref[Any]] = deque(maxlen=REMEMBERED_GRAPHS)
        self._looked = 0
        self._posteriors: dict[str, Posterior] = {}
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

    def output_found(self, node: Any, output: Tensor) -> None:
        """The graph of a model without modules ends at this node, with this result."""
        self._outputs.setdefault(node, tuple(output.shape))
        self.values.setdefault(node, output.detach())

    def look(self, loss: Tensor, line: str, value: object) -> dict[str, object]:
        """Walk the graph of a loss; returns what belongs into the row of the step."""
        self._looked += 1
        facts: dict[str, object] = {"graphs_alive": sum(tag() is not None for tag in self._tags) - bool(self._outputs)}
        if loss.grad_fn is None or (self._looked > DENSE and self._looked % 20):
            return facts
        nodes, reached = _extent(loss.grad_fn, self._models)
        facts["graph_nodes"] = nodes
        if self._may_read():
            self._posteriors.setdefault(line, Posterior()).look(loss.grad_fn)
        if line not in self.seen:
            self.seen[line] = {
                "line": line,
                "value": value if isinstance(value, float) else None,
                "shape": list(loss.shape),
                "ops": list(self._until_model(loss.grad_fn)),
                "output_ops": [op_of(node) for node in in_model(next(iter(self._outputs), None))],
                "output_shape": list(next(iter(self._outputs.values()), ())),
                "nodes": nodes,
                "reached": reached,
            }
        return facts

    def facts(self, line: str) -> dict[str, object]:
        """What model.json says of the losses that go backward at a line."""
        return self.seen[line] | self._posteriors.get(line, Posterior()).facts()

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
        trail: deque[tuple[Any, int | None, bool]] = deque([(start, None, False)])
        seen, place = {start}, 0
        while trail and len(seen) < LISTED_OPS:
            node, feeds, turned = trail.popleft()
            if node in self._outputs or hasattr(node, "variable"):
                continue
            operands = [before for before, _ in node.next_functions if before is not None]
            read = next((before for before in operands if before in self._outputs), None)
            facts: dict[str, object] = {"feeds": feeds, "inputs": len(operands), "reads_output": read is not None}
            facts |= {"subtracted": True} if turned else {}
            facts |= {"negative": True} if self._may_read() and is_negative(node) else {}
            if read is not None and read is not next(iter(self._outputs)):
                facts["output_ops"] = [op_of(inner) for inner in in_model(read)]
            yield op_of(node) | facts
            # What is put together of many equal parts is known by the first of them.
            for before in operands[:FOLLOWED_OPERANDS]:
                if before not in seen:
                    seen.add(before)
                    trail.append((before, place, is_subtracted(before, node)))
            place += 1


def _nothing(_gradient: Tensor) -> None:
    """A hook that only marks a graph."""


def _extent(start: Any, models: Models) -> tuple[int, list[str]]:
    """How many nodes a graph has, and the names of the parameters it ends in."""
    trail, seen, reached = [start], {start}, []
    while trail and len(seen) < COUNTED_NODES:
        node = trail.pop()
        leaf = getattr(node, "variable", None)
        weight = models.weight(leaf) if isinstance(leaf, Tensor) else None
        if weight is not None:
            weight.reached = True
            reached.append(weight.name)
        for before, _ in node.next_functions:
            if before is not None and before not in seen:
                seen.add(before)
                trail.append(before)
    return len(seen), sorted(reached)
