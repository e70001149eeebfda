"""Graphs of programs that multiply parameters by themselves: where the data come in, and where the answer comes out."""

from collections import deque
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from stetho.capture.torch.losses.differences import RESHAPING, name_of

MOST_NODES = 5000
MOST_PLACES = 256
TURNING = (*RESHAPING, "T", "Transpose", "Permute", "Expand", "Unsqueeze")
GIVEN = {
    "Mm": ("_saved_self", "_saved_mat2"),
    "Bmm": ("_saved_self", "_saved_mat2"),
    "Mv": ("_saved_self", "_saved_vec"),
    "Mul": ("_saved_self", "_saved_other"),
    "Addmm": (None, "_saved_mat1", "_saved_mat2"),
    "Addmv": (None, "_saved_mat", "_saved_vec"),
    "Convolution": ("_saved_input",),
    "Embedding": ("_saved_indices",),
    "Index": ("_saved_indices",),
    "IndexSelect": ("_saved_index",),
}
"""What an operation keeps of each of its operands. Those that look rows up keep nothing but the index."""
LOOKUPS = ("Embedding", "Index", "IndexSelect")


def inputs_of(start: Any) -> tuple[Tensor, Tensor] | None:
    """The first parameter and what it was multiplied with; of one that comes again for each place, all of that.

    >>> weight = torch.ones(3, 2, requires_grad=True)
    >>> inputs_of((torch.zeros(5, 3) @ weight).tanh().grad_fn)[1].shape
    torch.Size([5, 3])
    """
    found = [(leaf, data) for node in _nodes(start) for leaf, data in _given(node)]
    if not found:
        return None
    first = found[-1]
    same = [data for leaf, data in reversed(found) if leaf is first[0] and data.shape == first[1].shape]
    inputs = torch.stack(same[:MOST_PLACES], 1) if len(same) > 1 and first[1].dim() > 0 else first[1]
    return first[0], inputs.squeeze(0) if inputs.dim() > 2 and len(inputs) == 1 else inputs


def output_of(start: Any) -> tuple[Any, Tensor] | None:
    """The last operation on parameters before a loss, and its result, where that can be computed again."""
    for node in _nodes(start):
        if any(_leaf(before) is not None for before, _ in node.next_functions) and name_of(node) not in LOOKUPS:
            value = _value(node)
            return (node, value) if value is not None and value.numel() > 1 else None
    return None


def rows_chosen(predicted: Tensor, count: int) -> Tensor | None:
    """Which of so many rows a prediction was taken from, where it is a choice of rows."""
    node: Any = predicted.grad_fn
    while node is not None and name_of(node) in RESHAPING:
        node = node.next_functions[0][0]
    if node is None or name_of(node) != "Index" or len(node._input_metadata[0].shape) < 2:
        return None
    indices = node._saved_indices
    index = indices[0] if len([each for each in indices if each is not None]) == 1 else None
    if index is None or index.dim() != 1 or len(predicted) > count:
        return None
    return index if index.dtype is torch.int64 and int(index.max()) < count else None


def _nodes(start: Any) -> Iterator[Any]:
    """The nodes of a graph, those nearest to its start first."""
    trail, seen = deque([start]), {start}
    while trail and len(seen) < MOST_NODES:
        node = trail.popleft()
        if node is None or hasattr(node, "variable"):
            continue
        yield node
        for before, _ in node.next_functions:
            if before is not None and before not in seen:
                seen.add(before)
                trail.append(before)


def _leaf(node: Any) -> Tensor | None:
    """The parameter that a node stands for, be it in another shape."""
    while node is not None and not hasattr(node, "variable") and name_of(node) in TURNING:
        node = node.next_functions[0][0]
    leaf = getattr(node, "variable", None)
    return leaf if isinstance(leaf, Tensor) else None


def _given(node: Any) -> Iterator[tuple[Tensor, Tensor]]:
    """Parameters and the data that a node brings together with them."""
    name, operands = name_of(node), [before for before, _ in node.next_functions]
    leaf = next((found for found in map(_leaf, operands) if found is not None), None)
    if leaf is None or name not in GIVEN:
        return
    for place, attribute in enumerate(GIVEN[name]):
        if attribute is None or (name not in LOOKUPS and (place >= len(operands) or operands[place] is not None)):
            continue
        kept = getattr(node, attribute)
        data = next((each for each in kept if each is not None), None) if isinstance(kept, tuple | list) else kept
        if isinstance(data, Tensor) and data.dim() > 0 and data.numel() > 1:
            yield leaf, data.detach()


def _value(node: Any) -> Tensor | None:
    """The result of a node out of parameters and of what the graph keeps; None where it is not kept."""
    leaf = _leaf(node)
    name, operands = name_of(node), [before for before, _ in node.next_functions] if node is not None else []
    if leaf is not None:
        return leaf.detach().t() if name == "T" else leaf.detach() if leaf.shape == _shape(node, leaf) else None
    if name == "Add" and len(operands) == 2 and float(node._saved_alpha) == 1:
        one, other = (_value(each) if each is not None else None for each in operands)
        return one + other if one is not None and other is not None else None
    if name in ("Mm", "Addmm"):
        first, second = (node._saved_self, node._saved_mat2) if name == "Mm" else (node._saved_mat1, node._saved_mat2)
        first = first if first is not None else _value(operands[-2])
        second = second if second is not None else _value(operands[-1])
        bias = _value(operands[0]) if name == "Addmm" else None
        product = first.detach() @ second.detach() if first is not None and second is not None else None
        return product + bias if product is not None and bias is not None else product
    if name in RESHAPING and name not in ("Select", "Slice"):
        inner = _value(operands[0])
        return inner.reshape(_shape(node, inner)) if inner is not None else None
    return None


def _shape(node: Any, default: Tensor) -> torch.Size:
    shapes = getattr(node, "_input_metadata", ())
    return torch.Size(shapes[0].shape) if shapes else default.shape
