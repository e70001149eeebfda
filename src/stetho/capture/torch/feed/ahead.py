"""Targets that are the inputs one position later, as of a language model or a forecast for each step of a sequence."""

from collections.abc import Iterator

import torch
from torch import Tensor

from stetho.capture.torch.calls.leaves import tensor_leaves

LEAST_POSITIONS = 4
LEAST_TARGETS = 16
MOST = 0.9
SAME = 0.99
MOST_OTHERS = 3


def beside(first: Tensor, *values: object) -> list[Tensor]:
    """The sequences in what a model was given besides the first, by their order: a decoder reads one of them.

    >>> one, two = torch.zeros(2, 3), torch.ones(2, 3)
    >>> beside(one, (one, two), {"lengths": torch.zeros(2)})[0] is two
    True
    """
    others = [tensor for value in values for _, tensor in tensor_leaves(value) if tensor is not first]
    kinds = (torch.bool, torch.complex64, torch.complex128)
    plain = [each for each in others if each.layout is torch.strided and each.dtype not in kinds]
    return [each for each in plain if each.dim() in (2, 3) and each.numel()][:MOST_OTHERS]


def next_along(inputs: Tensor, target: Tensor, ignored: int | None) -> dict[str, object]:
    """The axis of the positions, where the target at each is the input at the next one.

    >>> rows = torch.arange(40).reshape(4, 10)
    >>> next_along(rows[:, :-1], rows[:, 1:], None), next_along(rows, rows, None)
    ({'target_next_along': 1}, {})
    """
    if inputs.dim() not in (2, 3) or target.device != inputs.device or target.is_complex():
        return {}
    given = inputs if inputs.dim() == 3 else inputs[..., None]
    for axis in (1, 0):
        length = given.shape[axis]
        if length < LEAST_POSITIONS:
            continue
        for wanted in _in_rows(target, given, axis):
            positions = min(wanted.shape[axis], length - 1)
            asked = wanted.narrow(axis, 0, positions)
            later, here = (given.narrow(axis, start, positions) for start in (1, 0))
            if _share(asked, later, ignored) > MOST > _share(asked, here, ignored):
                return {"target_next_along": axis}
    return {}


def same_along(inputs: Tensor, target: Tensor, ignored: int | None) -> dict[str, object]:
    """The axis of the positions, where the target at each is the token that was given at the same one.

    >>> rows = torch.arange(40).reshape(4, 10)
    >>> same_along(rows, rows.flatten(), None), same_along(rows[:, :-1], rows[:, 1:], None)
    ({'target_same_along': 1}, {})
    """
    kinds = inputs.is_floating_point(), target.is_floating_point()
    if inputs.dim() != 2 or target.numel() != inputs.numel() or any(kinds) or target.device != inputs.device:
        return {}
    asked, given = target.detach().reshape(*inputs.shape, 1), inputs[..., None]
    return {"target_same_along": 1} if _share(asked, given, ignored) > SAME else {}


def _in_rows(target: Tensor, given: Tensor, axis: int) -> Iterator[Tensor]:
    """The target with the axes of the inputs, for all positions or all but one, if it has as many elements."""
    for left_out in (0, 1):
        shape = list(given.shape[:2])
        shape[axis] -= left_out
        count = shape[0] * shape[1]
        if count and target.numel() and target.numel() % count == 0 and target.numel() // count <= given.shape[2]:
            yield target.detach().reshape(*shape, -1)[..., :1]


def _share(asked: Tensor, given: Tensor, ignored: int | None) -> float:
    """The largest share of positions, over the features, at which both are the same."""
    counts = torch.ones_like(asked, dtype=torch.bool) if ignored is None else asked != ignored
    total = int(counts.sum())
    if total < LEAST_TARGETS:
        return 0.0
    same = ((asked == given) & counts).flatten(0, 1).sum(0)
    return float(same.max()) / total
