"""Losses of several terms, written by hand: the one that compares the output with its targets, and what it adds."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from stetho.capture.torch.losses.differences import LONGEST, RESHAPING, Found, difference, name_of

MOST_TERMS = 8


def find_term(start: Any, outputs: Mapping[Any, Tensor]) -> Found | None:
    """The squared or absolute difference that is one of several terms, with its part of the loss."""
    terms = list(_terms(start, 1.0, LONGEST))
    if not 1 < len(terms) <= MOST_TERMS:
        return None
    for node, factor in terms:
        found = _plain_difference(node, outputs)
        if found is not None and found.value is not None:
            return replace(found, call="hand_written_term", value=found.value * factor)
    return None


def _terms(node: Any, factor: float, left: int) -> Iterator[tuple[Any, float]]:
    """The summands of a scalar, each with the number it is multiplied with."""
    operands = [before for before, _ in node.next_functions if before is not None] if node is not None else []
    if not operands or not left or _size(node) != 1:
        return
    name = name_of(node)
    if name in ("Add", "Sub") and (len(operands) == 2 or _size(operands[0]) == 1):
        for operand in operands:
            yield from _terms(operand, factor, left - 1)
    elif name in ("Mul", "Div") and len(operands) == 1 and _size(operands[0]) == 1:
        number = node._saved_other
        if number is None or number.numel() != 1 or not number:
            return
        yield from _terms(operands[0], factor * float(number) if name == "Mul" else factor / float(number), left - 1)
    elif name in (*RESHAPING, "Neg") and _size(operands[0]) == 1:
        yield from _terms(operands[0], factor, left - 1)
    else:
        yield node, factor


def _plain_difference(node: Any, outputs: Mapping[Any, Tensor]) -> Found | None:
    """The mean or the sum of squares or absolute values."""
    reduction, before = name_of(node), node.next_functions[0][0]
    if reduction not in ("Mean", "Sum") or name_of(before) not in ("Pow", "Abs"):
        return None
    found = difference(before, before.next_functions[0][0], outputs)
    if found is None:
        return None
    apart = (found.predicted - found.target).detach()
    sizes = apart.square() if name_of(before) == "Pow" else apart.abs()
    return replace(found, value=sizes.mean() if reduction == "Mean" else sizes.sum())


def _size(node: Any) -> int:
    """How many elements the result of a node has; 0 for a parameter."""
    shapes = getattr(node, "_input_metadata", ())
    return int(torch.Size(shapes[0].shape).numel()) if shapes else 0
