"""Batches of tokens: the id that fills rows of different lengths up at their end, and targets that are the input."""

from dataclasses import dataclass

import torch
from torch import Tensor

LEAST_ROWS = 4
RARE = 0.01
"""A filler does not occur in the middle of rows, save for a few."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """The whole numbers that a model was given, and where they are padding."""

    ids: Tensor
    padded: Tensor | None


def tokens_in(inputs: Tensor) -> Tokens | None:
    """The tokens of a batch; None where it holds other things."""
    if inputs.dim() != 2 or inputs.is_floating_point() or inputs.dtype is torch.bool:
        return None
    return Tokens(inputs.detach(), padded_positions(inputs))


def facts_of_target(tokens: Tokens, target: Tensor, ignored: int | None) -> dict[str, object]:
    """What a target has to do with the tokens that the model was given."""
    if target.is_floating_point() or target.numel() != tokens.ids.numel() or target.device != tokens.ids.device:
        return {}
    same = float((target.reshape(-1) == tokens.ids.reshape(-1)).float().mean())
    padding = padding_in_target(tokens.padded, target, ignored) if tokens.padded is not None else {}
    return {"target_is_input": same, **padding}


def padded_positions(tokens: Tensor) -> Tensor | None:
    """Where a batch of whole numbers [rows, positions] is padding; None when it has none.

    >>> padded_positions(torch.tensor([[5, 6, 7, 8], [5, 6, 0, 0], [5, 0, 0, 0], [9, 8, 7, 0]])).sum().item()
    6
    >>> padded_positions(torch.tensor([[5, 6], [7, 8], [7, 9], [1, 2]])) is None
    True
    """
    if tokens.dim() != 2 or tokens.is_floating_point() or tokens.shape[0] < LEAST_ROWS or tokens.shape[1] < 2:
        return None
    here = tokens == tokens[:, -1].mode().values
    tail: Tensor = here.flip(1).to(torch.uint8).cumprod(1).flip(1).bool()
    lengths = tail.sum(1)
    if (
        int((here & ~tail).sum()) > RARE * tokens.numel()
        or int(lengths.max()) < 2
        or bool((lengths == lengths[0]).all())
    ):
        return None
    return tail


def padding_in_target(padded: Tensor, target: Tensor, ignored: int | None) -> dict[str, object]:
    """Which share of the targets that count is at padded positions, and the usual target there."""
    if target.is_floating_point() or target.numel() != padded.numel():
        return {}
    wanted, filler = target.reshape(-1), padded.reshape(-1)
    counts = torch.ones_like(filler) if ignored is None else wanted != ignored
    if not bool(counts.any()):
        return {}
    both = counts & filler
    usual = int(wanted[both].mode().values) if bool(both.any()) else None
    return {"padding_share": float(both.sum()) / float(counts.sum()), "padding_target": usual}
