"""Distances of pairs, each with a flag that says whether its loss makes it small, or large up to a margin.

So a contrastive loss is written: `flag * d ** 2 + (1 - flag) * relu(margin - d) ** 2`. Both terms come from one
distance, and what they are multiplied with tells which pairs are pulled together and which are pushed apart.
"""

from dataclasses import dataclass
from typing import Any

from torch import Tensor

from stetho.capture.torch.losses.differences import LONGEST, RESHAPING, factor_of, name_of

REDUCING = ("Mean", "Sum", "Div")
CUTTING = ("Relu", "Clamp", "ClampMin")
DISTANCES = ("LinalgVectorNorm", "Norm", "Sqrt")
LEAST_OF_EACH = 2


@dataclass(frozen=True, slots=True, eq=False)
class _Term:
    """A term of a loss: the node of its distance, the flags it is multiplied with, and whether a margin cuts it."""

    node: Any
    flags: Tensor
    is_cut: bool


def flagged_distances(start: Any) -> tuple[float, float] | None:
    """The mean distance of the pairs that a loss pulls together, and of those that it pushes apart."""
    found = [_term(operand, flags) for operand, flags in _summands(start)]
    terms = sorted((term for term in found if term is not None), key=lambda term: term.is_cut)
    if len(terms) != 2 or terms[0].is_cut or not terms[1].is_cut or terms[0].node is not terms[1].node:
        return None
    pull, push = terms
    distances = _distances(pull.node)
    if distances is None or not all(term.flags.numel() == distances.numel() for term in (pull, push)):
        return None
    near, far = (_of_flagged(distances, term.flags) for term in (pull, push))
    return (near, far) if near is not None and far is not None else None


def _operands(node: Any) -> list[Any]:
    return [before for before, _ in node.next_functions if before is not None] if node is not None else []


def _summands(start: Any) -> list[tuple[Any, Tensor | None]]:
    """Both sides of the sum that a loss is the mean of; of a choice between two, with what chooses them."""
    node = start
    for _ in range(LONGEST):
        operands = _operands(node)
        if name_of(node) == "Where" and len(operands) == 2:
            return [(operands[0], node._saved_condition), (operands[1], ~node._saved_condition)]
        if name_of(node) == "Add" and len(operands) == 2:
            return [(operands[0], None), (operands[1], None)]
        if len(operands) != 1 or not (name_of(node) in (*REDUCING, *RESHAPING) or _is_scaled(node)):
            return []
        node = operands[0]
    return []


def _is_scaled(node: Any) -> bool:
    """Whether a node multiplies with one number."""
    factor = factor_of(node) if name_of(node) == "Mul" else None
    return name_of(node) == "Mul" and (factor is None or factor.numel() == 1)


def _term(node: Any, flags: Tensor | None) -> _Term | None:
    is_cut = False
    for _ in range(LONGEST):
        operands, name = _operands(node), name_of(node)
        if flags is not None and (name in DISTANCES or _is_sum_of_squares(node, operands)):
            return _Term(node, flags, is_cut)
        if len(operands) != 1:
            return None
        if name == "Mul" and not _is_scaled(node):
            if flags is not None:
                return None
            flags = factor_of(node)
        elif name not in (*REDUCING, *RESHAPING, *CUTTING, "Mul", "Pow", "Rsub", "Sub", "Add"):
            return None
        is_cut |= name in CUTTING and flags is not None
        node = operands[0]
    return None


def _is_sum_of_squares(node: Any, operands: list[Any]) -> bool:
    is_square = len(operands) == 1 and name_of(operands[0]) == "Pow" and float(operands[0]._saved_exponent) == 2
    return name_of(node) == "Sum" and is_square and operands[0]._saved_self.dim() == 2


def _distances(node: Any) -> Tensor | None:
    if name_of(node) in DISTANCES:
        result: Tensor = node._saved_result
        return result.detach().float().flatten()
    squares: Tensor = node.next_functions[0][0]._saved_self
    return squares.detach().float().square().sum(1)


def _of_flagged(distances: Tensor, flags: Tensor) -> float | None:
    """The mean of the distances whose flag is set; None where flags are no flags, or too few are set."""
    chosen = flags.detach().float().flatten()
    # A factor of 1/2 may have come into the flags.
    chosen = chosen / chosen.max().clamp(min=1e-12)
    if not bool(((chosen == 0) | (chosen == 1)).all()) or float(chosen.sum()) < LEAST_OF_EACH:
        return None
    return float((distances * chosen).sum() / chosen.sum())
