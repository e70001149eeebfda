"""Sequences with another end: whether what a model says at earlier positions depends on it."""

import torch
from torch import Tensor

LEAST_POSITIONS = 4


def with_other_end(inputs: Tensor, axis: int) -> Tensor | None:
    """A copy whose last third along an axis is that of another sample; None where that is no change.

    >>> with_other_end(torch.tensor([[1, 2, 3, 4], [5, 6, 7, 8]]), 1).tolist()
    [[1, 2, 3, 8], [5, 6, 7, 4]]
    """
    if inputs.dim() < 2 or inputs.shape[axis] < LEAST_POSITIONS:
        return None
    begin = _begin_of_end(inputs.shape[axis])
    changed = inputs.detach().clone()
    end = changed.narrow(axis, begin, inputs.shape[axis] - begin)
    other = end.roll(1, 1 - axis) if inputs.shape[1 - axis] > 1 else inputs.detach().narrow(axis, 0, end.shape[axis])
    if bool((other == end).float().mean() > 0.9):
        return None
    end.copy_(other.clone())
    return changed


def before_end(answer: Tensor, shape: torch.Size, axis: int) -> Tensor | None:
    """The answers for the positions before the end, where there is one for each position of each sample.

    >>> before_end(torch.zeros(2, 4, 7), torch.Size((2, 4)), 1).shape
    torch.Size([2, 3, 7])
    >>> before_end(torch.zeros(8, 7), torch.Size((2, 4)), 1).shape
    torch.Size([2, 3, 7])
    >>> before_end(torch.zeros(2, 7), torch.Size((2, 4)), 1) is None
    True
    """
    placed = _by_positions(answer, shape)
    return placed.narrow(axis, 0, _begin_of_end(shape[axis])) if placed is not None else None


def where_end_begins(answer: Tensor, shape: torch.Size, axis: int) -> Tensor | None:
    """The answers for the first position of the end.

    >>> where_end_begins(torch.arange(8).reshape(2, 4), torch.Size((2, 4)), 1).tolist()
    [[3], [7]]
    """
    placed = _by_positions(answer, shape)
    return placed.narrow(axis, _begin_of_end(shape[axis]), 1) if placed is not None else None


def _by_positions(answer: Tensor, shape: torch.Size) -> Tensor | None:
    """Answers with an axis for samples and one for positions, in the order of the inputs."""
    positions = tuple(shape[:2])
    if answer.dim() == 2 and len(answer) == shape[0] * shape[1] and tuple(answer.shape) != positions:
        answer = answer.reshape(*positions, -1)
    elif answer.dim() == 3 and (answer.shape[0], answer.shape[2]) == positions and answer.shape[1] != positions[1]:
        answer = answer.transpose(1, 2)
    return answer if tuple(answer.shape[:2]) == positions else None


def _begin_of_end(length: int) -> int:
    return length - max(length // 3, 1)
