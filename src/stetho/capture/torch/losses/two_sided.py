"""The cross entropy of yes and no, written out: `-(t * log(p) + (1 - t) * log(1 - p))`.

Both products keep what they multiply the logarithms with, and these are the targets and what is left of one.
"""

from typing import Any, NamedTuple

import torch
from torch import Tensor

from stetho.capture.torch.losses.differences import RESHAPING, Found, factor_of, name_of, past

AROUND = (*RESHAPING, "Clamp", "ClampMin", "Add", "Sub")
"""What keeps a probability away from 0 lies between it and its logarithm; `1 - p` is another operation, Rsub."""


class _Side(NamedTuple):
    factor: Tensor
    """What the logarithm counts with, with its sign."""
    node: Any
    """The operation that the probability, or the score, comes from."""
    turned: bool
    """Whether the logarithm is that of the rest, 1 - p."""
    given: Tensor
    """What the logarithm is taken of."""
    is_score: bool


def two_sided(node: Any) -> Found | None:
    """The targets of such a loss, where this node adds its two sides; None if it is something else."""
    name, operands = name_of(node), [before for before, _ in node.next_functions]
    if name not in ("Add", "Sub") or len(operands) != 2 or None in operands:
        return None
    one, other = _side(operands[0], 1.0), _side(operands[1], -1.0 if name == "Sub" else 1.0)
    if one is None or other is None or one.turned == other.turned or one.node is not other.node:
        return None
    yes, no = (other, one) if one.turned else (one, other)
    if yes.factor.shape != no.factor.shape or yes.factor.shape != yes.given.shape or not _are_yes_and_no(yes, no):
        return None
    predicted = yes.given.sigmoid() if yes.is_score else yes.given
    return Found("hand_written_binary", predicted, yes.factor.abs())


def _are_yes_and_no(yes: _Side, no: _Side) -> bool:
    """Whether each target is on one of the two sides, and all with the same sign."""
    both = yes.factor + no.factor
    is_hard = bool(((yes.factor == 0) | (no.factor == 0)).all())
    return is_hard and bool((both == 1).all() | (both == -1).all())


def _side(node: Any, sign: float) -> _Side | None:
    """A product of a constant and the logarithm of a probability, or of the rest of it."""
    while name_of(node) == "Neg":
        node, sign = node.next_functions[0][0], -sign
    operands = [before for before, _ in node.next_functions if before is not None]
    factor = factor_of(node) if name_of(node) == "Mul" and len(operands) == 1 else None
    if factor is None:
        return None
    logarithm = past(operands[0], RESHAPING, {})
    is_score = logarithm is not None and name_of(logarithm) in ("LogSigmoid", "LogSigmoidForward")
    if logarithm is None or not (is_score or name_of(logarithm) in ("Log", "Log1P")):
        return None
    inner = past(_before(logarithm), () if is_score else AROUND, {})
    turned = inner is not None and name_of(inner) == ("Neg" if is_score or name_of(logarithm) == "Log1P" else "Rsub")
    if inner is None or (name_of(logarithm) == "Log1P" and not turned):
        return None
    end = past(_before(inner) if turned else inner, () if is_score else AROUND, {})
    given = logarithm._saved_self
    return _Side(sign * factor.to(torch.float64), end, turned, given, is_score)


def _before(node: Any) -> Any:
    return next((before for before, _ in node.next_functions if before is not None), None)
