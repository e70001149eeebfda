"""What an operation costs: two for each multiplication with its addition, from shapes alone.

Counted are products of matrices, convolutions, attention and recurrent layers, which is where the work of a network
is, and what `torch.utils.flop_counter` counts; an operation on single elements counts as nothing.
"""

import functools
from collections.abc import Callable
from math import prod
from typing import NamedTuple

from stetho.inspect.operations import Operand, Operation

ATTENTION_BACKWARD = 2.5
"""Attention computes its scores again in the backward pass: five products in place of two."""


class Flops(NamedTuple):
    """The cost of an operation forward, and of its gradients."""

    forward: int = 0
    backward: int = 0


def flops_of(operation: Operation) -> Flops:
    """What an operation costs.

    >>> from stetho.inspect.operations import Operand, TensorFacts
    >>> tensors = [TensorFacts((8, 4), "float32", "cpu"), TensorFacts((3, 4), "float32", "cpu", True)]
    >>> out = TensorFacts((8, 3), "float32", "cpu", True)
    >>> flops_of(Operation(0, "linear", "", "forward", "", 0, None, {}, tuple(map(Operand, tensors)), (out,)))
    Flops(forward=192, backward=192)
    """
    count = _count_of(operation.name)
    if count is None or not operation.outputs or not operation.inputs:
        return Flops()
    try:
        forward = count(operation)
    except (IndexError, KeyError, ValueError):  # a form of the function that is not known here
        return Flops()
    if not operation.outputs[0].requires_grad:
        return Flops(forward)
    if operation.name in RECURRENT:
        return Flops(forward, 2 * forward)
    if operation.name.startswith(ATTENTION):
        return Flops(forward, int(ATTENTION_BACKWARD * forward))
    return Flops(forward, forward * sum(each.tensor.requires_grad for each in _factors(operation)))


def is_counted(name: str) -> bool:
    """Whether operations of this name count for something.

    >>> is_counted("linear"), is_counted("relu")
    (True, False)
    """
    return _count_of(name) is not None


ATTENTION = "scaled_dot_product"
RECURRENT = ("lstm", "gru", "rnn_tanh", "rnn_relu", "lstm_cell", "gru_cell", "rnn_tanh_cell", "rnn_relu_cell")
ADDED_FIRST = ("addmm", "baddbmm", "addbmm", "addmv")


@functools.cache
def _count_of(name: str) -> Callable[[Operation], int] | None:
    return _COUNTS.get(name) or (_attention if name.startswith(ATTENTION) else None)


def _shapes(operation: Operation) -> list[tuple[int, ...]]:
    return [each.tensor.shape for each in operation.inputs]


def _factors(operation: Operation) -> tuple[Operand, ...]:
    """The two tensors that are multiplied."""
    first = 1 if operation.name in ADDED_FIRST else 0
    return operation.inputs[first : first + 2]


def _product(operation: Operation) -> int:
    left = _factors(operation)[0].tensor.shape
    return 2 * operation.outputs[0].elements * left[-1]


def _bilinear(operation: Operation) -> int:
    return 2 * (operation.outputs[0].elements // operation.outputs[0].shape[-1]) * prod(_shapes(operation)[2])


def _convolution(operation: Operation) -> int:
    image, kernel = _shapes(operation)[:2]
    moved = prod(image) if _is_transposed(operation) else operation.outputs[0].elements
    return 2 * moved * prod(kernel[1:])


def _is_transposed(operation: Operation) -> bool:
    return "transpose" in operation.name or operation.arguments.get("transposed") is True


def _attention(operation: Operation) -> int:
    query, key, value = _shapes(operation)[:3]
    return 2 * prod(query[:-1]) * key[-2] * (query[-1] + value[-1])


def _recurrence(operation: Operation) -> int:
    given, *others = _shapes(operation)
    is_weight = [(each.origin or "").startswith("parameter") for each in operation.inputs[1:]]
    matrices = [shape for shape, own in zip(others, is_weight, strict=True) if len(shape) == 2 and own]
    return 2 * prod(given[:-1]) * sum(map(prod, matrices))


def _einsum(operation: Operation) -> int:
    """The product over all letters, for each pair of operands from left to right."""
    text = next(value for value in operation.arguments.values() if isinstance(value, str)).replace(" ", "")
    taken, _, given = text.partition("->")
    letters = taken.split(",")
    sizes: dict[str, int] = {}
    for names, shape in zip(letters, _shapes(operation), strict=True):
        sizes |= dict(zip(names, shape, strict=True))
    total, left = 0, letters[0]
    for place, right in enumerate(letters[1:], 1):
        both = set(left) | set(right)
        total += 2 * prod(sizes[name] for name in both)
        left = "".join(name for name in both if name in given or any(name in rest for rest in letters[place + 1 :]))
    return total


_COUNTS: dict[str, Callable[[Operation], int]] = {
    **dict.fromkeys(("linear", "matmul", "rmatmul", "mm", "bmm", "mv", "dot", "inner", "vdot", *ADDED_FIRST), _product),
    **dict.fromkeys((f"conv{dims}d" for dims in (1, 2, 3)), _convolution),
    **dict.fromkeys((f"conv_transpose{dims}d" for dims in (1, 2, 3)), _convolution),
    **dict.fromkeys(RECURRENT, _recurrence),
    "convolution": _convolution,
    "bilinear": _bilinear,
    "einsum": _einsum,
}
