"""Differences of output and target in an autograd graph: from what the graph keeps, the target can be read."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from torch import Tensor

LONGEST = 16
RESHAPING = (
    "View",
    "UnsafeView",
    "ReshapeAlias",
    "Squeeze",
    "Unsqueeze",
    "Clone",
    "Alias",
    "Reshape",
    "Select",
    "Slice",
)

KEEPING_RESULT = ("Relu", "Sigmoid", "Tanh", "Exp", "Softmax")


@dataclass(frozen=True, slots=True)
class Found:
    """What a loss by hand is about: the name under which it is booked, what was predicted, what was wanted.

    Of a loss of several terms, `value` is what the term adds to it.
    """

    call: str
    predicted: Tensor
    target: Tensor
    reduction: str = "other"
    value: Tensor | None = None


def name_of(node: Any) -> str:
    """The operation that a node stands for."""
    return type(node).__name__.rstrip("0123456789").removesuffix("Backward")


def factor_of(node: Any) -> Tensor | None:
    """What a product with one side that is learnt multiplies it with."""
    other = getattr(node, "_saved_other", None)
    factor = other if other is not None else getattr(node, "_saved_self", None)
    return factor if isinstance(factor, Tensor) else None


def way_down(loss: Tensor, names: tuple[str, ...]) -> Iterator[Any]:
    """The nodes from a loss on, as long as each has one operand that is learnt and is one of these.

    >>> import torch
    >>> loss = (torch.ones(3, requires_grad=True) * 2.0).sum() / 3
    >>> [name_of(node) for node in way_down(loss, ("Div", "Sum"))]
    ['Div', 'Sum']
    """
    node: Any = loss.grad_fn
    for _ in range(LONGEST):
        operands = [before for before, _ in node.next_functions if before is not None] if node is not None else []
        if len(operands) != 1 or name_of(node) not in names:
            return
        yield node
        node = operands[0]


def past(node: Any, names: tuple[str, ...], outputs: Mapping[Any, Tensor]) -> Any:
    """The first node that is the model's output or none of these."""
    for _ in range(LONGEST):
        if node is None or node in outputs or name_of(node) not in names:
            return node
        node = next((before for before, _ in node.next_functions if before is not None), None)
    return None


def _output(node: Any, outputs: Mapping[Any, Tensor]) -> Tensor | None:
    """The output of the model that a node stands for, or what an activation behind the model made of one."""
    if node in outputs or node is None:
        return outputs.get(node)
    # These keep their result, which is what the loss sees.
    return node._saved_result if name_of(node) in KEEPING_RESULT else None


def difference(node: Any, before: Any, outputs: Mapping[Any, Tensor]) -> Found | None:
    """(output − target)², its absolute value, or the other way round; `before` is the node of the difference."""
    if name_of(before) != "Sub" or (name_of(node) == "Pow" and float(node._saved_exponent) != 2):
        return None
    (first, _), (second, _) = before.next_functions
    if (first is None) == (second is None):
        return None
    output = _output(past(first or second, RESHAPING, outputs), outputs)
    apart = node._saved_self
    if output is None or apart is None or output.numel() != apart.numel():
        return None
    predicted = output.reshape(apart.shape)
    target = predicted - apart if first is not None else predicted + apart
    return Found("hand_written_difference" if name_of(node) != "Abs" else "hand_written_distance", predicted, target)
