"""Single nodes of an autograd graph: what operation they stand for, and what it does to the sign."""

from collections.abc import Iterator
from typing import Any

from torch import Tensor

OPS_IN_MODEL = 8
WHOLE_MASK = (1 << 63) - 1


def in_model(output: Any) -> Iterator[Any]:
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


def is_cut_at_zero(node: Any) -> bool:
    """Whether a clamp does what a ReLU does: nothing below 0 gets through, everything above does.

    >>> import torch
    >>> x = torch.ones(3, requires_grad=True)
    >>> [is_cut_at_zero(y.grad_fn) for y in (x.clamp(min=0), x.clamp_min(0.0), x.clamp(0, 6), x.clamp(min=-1))]
    [True, True, False, False]
    """
    if type(node).__name__ not in ("ClampBackward1", "ClampMinBackward0"):
        return False
    return bool(node._saved_min == 0) and getattr(node, "_saved_max", None) is None


def op_of(node: Any) -> dict[str, object]:
    """The operation that a node stands for: its name, the shape of its result, the dimension it runs over."""
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


def is_subtracted(operand: Any, node: Any) -> bool:
    """Whether an operand stands on the right of a minus whose left side is learnt as well."""
    sides = [before for before, _ in node.next_functions]
    return type(node).__name__ == "SubBackward0" and sides[0] is not None and sides[1] is operand


def is_negative(node: Any) -> bool:
    """Whether an operation multiplies with a number below 0; numbers are never on another device."""
    if type(node).__name__ not in ("MulBackward0", "DivBackward0"):
        return False
    try:
        factor = node._saved_other
    except RuntimeError:
        # A graph that was gone through once has let go of it.
        return False
    is_number = isinstance(factor, Tensor) and factor.dim() == 0 and factor.device.type == "cpu"
    return is_number and not factor.is_complex() and bool(factor < 0)
