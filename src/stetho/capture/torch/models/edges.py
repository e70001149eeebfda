"""Which layer feeds which: found once for a model, from the autograd graph of its first training pass."""

from math import prod
from typing import Any

from torch import Tensor
from torch.nn import Module, MultiheadAttention

from stetho.capture.torch.calls.leaves import tensor_leaves
from stetho.capture.torch.losses.graph_nodes import is_cut_at_zero
from stetho.capture.torch.models.attended import Attended
from stetho.capture.torch.models.models import Layer
from stetho.capture.torch.models.operations import VIEWS, Fact, fact_of, reads_saved

INPUT = "(input)"
DETACHED = "(detached)"
"""Stands for a tensor without history that is not an input of the model: a constant, or the end of a cut graph."""

MOST_OPS = 16
MOST_FACTS = 16
FARTHEST = 200
"""How many operations between two layers are followed before the trail is given up."""
MOST_TAKEN = 2
"""How many tensors a trail passes that other layers took already: a layer of a deep residual network is given the sum
of all before it, and the layers that took the sums in between tell the rest."""


class Edges:
    """Edges of one forward pass, each with the operations on the way from layer to layer."""

    def __init__(self, *inputs: object) -> None:
        self._inputs = {_storage(tensor): tensor.shape for value in inputs for _, tensor in tensor_leaves(value)}
        self._attended = Attended(inputs)
        self._producers: dict[object, str] = {}
        self._given: dict[str, list[Tensor]] = {}
        self._looked_at: set[object] = set()
        self._taken: set[object] = set()
        """Nodes of tensors that a layer was given."""
        self._borders: set[object] = set()
        """Nodes of tensors that the framework's attention was given."""
        self._reads = True
        self.found: dict[tuple[str, str], list[str]] = {}

    def entered(self, layer: Layer, module: Module, args: object) -> None:
        """A layer is called; one of several names may be given what it was given before in this pass."""
        tensors = [tensor for _, tensor in tensor_leaves(args)]
        if layer.also:
            given = self._given.setdefault(layer.name, [])
            layer.given_twice |= any(tensor is before for tensor in tensors for before in given)
            given += tensors
        self._reads = self._reads and reads_saved()
        if not module._modules:
            for tensor in tensors:
                layer.between += self.consumed(layer.name, tensor)
        elif type(module) is MultiheadAttention:
            self._borders.update(tensor.grad_fn for tensor in tensors)

    def produced(self, name: str, tensor: Tensor) -> None:
        """A layer gave this tensor."""
        if tensor.grad_fn is not None:
            # The innermost layer comes first and keeps the node; its container returns the same tensor.
            self._producers.setdefault(tensor.grad_fn, name)

    def attended(self, tensor: Tensor) -> None:
        """The framework's attention gave this: its views are meant, though equal sizes may make them look crossed."""
        trail = [tensor.grad_fn]
        seen = {*self._borders, *self._producers, None}
        while trail and len(seen) < FARTHEST + len(self._borders) + len(self._producers):
            node: Any = trail.pop()
            if node in seen:
                continue
            seen.add(node)
            if type(node).__name__ in VIEWS:
                self._looked_at.add(node)
            trail += [before for before, _ in node.next_functions]

    def consumed(self, name: str, tensor: Tensor) -> list[Fact]:
        """A layer takes this tensor: walk back to the layers it comes from. What is worth knowing of the way."""
        if tensor.grad_fn is None:
            if tensor.is_floating_point():
                shape = self._inputs.get(_storage(tensor))
                is_dealt_anew = shape is not None and _is_dealt_anew(tensor, shape)
                place = INPUT if shape is not None else DETACHED
                self.found.setdefault((place, name), ["View"] if is_dealt_anew else [])
            return []
        trail: list[tuple[Any, tuple[str, ...], int]] = [(tensor.grad_fn, (), 0)]
        seen = {tensor.grad_fn: 0}
        facts: list[Fact] = []
        while trail and len(seen) < FARTHEST:
            node, ops, taken = trail.pop()
            producer = self._producers.get(node)
            if producer is not None:
                self.found.setdefault((producer, name), list(ops))
                continue
            facts += self._new_fact(node) if len(facts) < MOST_FACTS else []
            further = (_name_of(node), *ops)[:MOST_OPS]
            for before, _ in node.next_functions:
                passed = taken + (before in self._taken and before not in self._producers)
                # Another way to it may pass fewer.
                if before is not None and passed <= MOST_TAKEN and passed < seen.get(before, FARTHEST):
                    seen[before] = passed
                    trail.append((before, further, passed))
        self._taken.add(tensor.grad_fn)
        return facts

    def _new_fact(self, node: Any) -> list[Fact]:
        if node in self._looked_at:
            return []
        self._looked_at.add(node)
        fact = fact_of(node, self._attended, reads=self._reads)
        return [fact] if fact is not None else []


def _name_of(node: Any) -> str:
    return "Relu" if is_cut_at_zero(node) else type(node).__name__.removesuffix("0").removesuffix("Backward")


def _is_dealt_anew(tensor: Tensor, shape: tuple[int, ...]) -> bool:
    """Whether a tensor holds all elements of an input in their old order, but in another shape."""
    return tensor.shape != shape and tensor.numel() == prod(shape) and tensor.is_contiguous()


def _storage(tensor: Tensor) -> int:
    """Where the values lie; views share it. Zero where there is no such place."""
    try:
        return tensor.untyped_storage().data_ptr()
    except (NotImplementedError, RuntimeError):
        return 0
