"""Rows of different lengths in one batch: what fills them up at their end, and whether targets there count.

Tokens are filled up with an id, sequences of numbers with a value. Targets of tokens may also be the input itself.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import torch
from torch import Tensor

from stetho.capture.torch.feed.ahead import next_along, same_along
from stetho.capture.torch.feed.ignored import ignored_inside

LEAST_ROWS = 4
LEAST_POSITIONS = 3
LEAST_TARGETS = 16
FARTHEST_AHEAD = 3
RARE = 0.01
"""A filler does not occur in the middle of rows, save for a few."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """The rows that a model was given, `ids` or `numbers`, and where they are padding; `others` came beside them."""

    ids: Tensor | None
    padded: Tensor | None
    numbers: Tensor | None = None
    others: tuple[Tensor, ...] = ()


def tokens_in(inputs: Tensor, others: Iterable[Tensor] = ()) -> Tokens | None:
    """The tokens of a batch, or its padded rows of numbers; None where it holds other things."""
    beside = tuple(other.detach() for other in others)
    if inputs.is_floating_point():
        padded = padded_numbers(inputs)
        numbers = inputs.detach() if inputs.dim() in (2, 3) and inputs.shape[1] > LEAST_POSITIONS else None
        is_known = padded is not None or numbers is not None or beside
        return Tokens(None, padded, numbers, beside) if is_known else None
    if inputs.dim() != 2 or inputs.dtype is torch.bool:
        return Tokens(None, None, None, beside) if beside else None
    return Tokens(inputs.detach(), padded_positions(inputs), None, beside)


def facts_of_target(tokens: Tokens, predicted: Tensor, target: Tensor, ignored: int | None) -> dict[str, object]:
    """What a target has to do with the tokens that the model was given."""
    found = _facts_of_first(tokens, predicted, target, ignored)
    for number, other in enumerate(tokens.others, start=1):
        # A decoder is given the targets beside what it reads, each one place late.
        if "target_next_along" not in found:
            following = next_along(other, target, ignored)
            found |= following | ({"target_next_of": number} if following else {})
            same = same_along(other, target, ignored) if not following else {}
            found |= same | ({"target_same_of": number} if same else {})
    return found


def _facts_of_first(tokens: Tokens, predicted: Tensor, target: Tensor, ignored: int | None) -> dict[str, object]:
    if tokens.ids is None:
        padding = padding_in_numbers(tokens.padded, predicted, target) if tokens.padded is not None else {}
        return padding | (next_along(tokens.numbers, target, None) if tokens.numbers is not None else {})
    if target.is_floating_point() or target.device != tokens.ids.device:
        return {}
    following = _ahead(tokens.ids, target, ignored) | next_along(tokens.ids, target, ignored)
    if target.numel() != tokens.ids.numel():
        return following
    same = float((target.reshape(-1) == tokens.ids.reshape(-1)).float().mean())
    padding = padding_in_target(tokens.padded, target, ignored) if tokens.padded is not None else {}
    left_out = {}
    if ignored is not None and predicted.dim() > 1 and 0 <= ignored < predicted.shape[1]:
        left_out = ignored_inside(target.reshape(tokens.ids.shape), tokens.ids, ignored)
    return {"target_is_input": same, **padding, **following, **left_out}


def _ahead(ids: Tensor, target: Tensor, ignored: int | None) -> dict[str, object]:
    """How many places ahead of the input the targets are, where they are tokens of the input: 1 is the next one."""
    rows, length = ids.shape
    if not length or target.numel() % max(rows, 1) or not 0 < target.numel() <= ids.numel():
        return {}
    wanted = target.reshape(rows, -1)
    shares = []
    for places in range(min(FARTHEST_AHEAD + 1, length)):
        given = ids[:, places : places + wanted.shape[1]]
        counts = wanted[:, : given.shape[1]] != (ignored if ignored is not None else -1)
        same = (wanted[:, : given.shape[1]] == given) & counts
        shares.append(float(same.sum() / counts.sum()) if int(counts.sum()) >= LEAST_TARGETS else 0.0)
    first, second = sorted([*shares, 0.0, 0.0])[:-3:-1]
    # Rows that repeat themselves agree at several distances.
    return {"target_ahead": shares.index(first)} if first > 0.99 and second < 0.9 else {}


def padded_positions(tokens: Tensor) -> Tensor | None:
    """Where a batch of whole numbers [rows, positions] is padding; None when it has none.

    >>> padded_positions(torch.tensor([[5, 6, 7, 8], [5, 6, 0, 0], [5, 0, 0, 0], [9, 8, 7, 0]])).sum().item()
    6
    >>> padded_positions(torch.tensor([[5, 6], [7, 8], [7, 9], [1, 2]])) is None
    True
    """
    if tokens.dim() != 2 or tokens.is_floating_point() or tokens.shape[0] < LEAST_ROWS or tokens.shape[1] < 2:
        return None
    return _tails(tokens == tokens[:, -1].mode().values)


def padded_numbers(inputs: Tensor) -> Tensor | None:
    """The same for numbers [rows, positions] or [rows, positions, features], where a value fills all features."""
    if inputs.dim() not in (2, 3) or inputs.shape[0] < LEAST_ROWS or inputs.shape[1] < LEAST_POSITIONS:
        return None
    values = inputs.detach()
    here = values == values[:, -1].flatten().mode().values
    return _tails(here.all(-1) if here.dim() == 3 else here)


def padding_in_numbers(padded: Tensor, predicted: Tensor, target: Tensor) -> dict[str, object]:
    """Which share of a target of numbers is padding as well: one value there, hardly anywhere else, and not masked."""
    if not target.is_floating_point() or target.shape[:2] != padded.shape or predicted.shape != target.shape:
        return {}
    wanted, apart = target.detach(), (predicted - target).detach()[padded]
    filler = wanted[padded].flatten()[0]
    elsewhere = float((wanted[~padded] == filler).float().mean())
    if not bool((wanted[padded] == filler).all()) or elsewhere > RARE or not bool((apart != 0).any()):
        return {}
    return {"padding_share": float(padded.float().mean())}


def _tails(here: Tensor) -> Tensor | None:
    """The ends of rows that are marked, if they differ in length and marks are nowhere else."""
    tail: Tensor = here.flip(1).to(torch.uint8).cumprod(1).flip(1).bool()
    lengths = tail.sum(1)
    if int((here & ~tail).sum()) > RARE * here.numel() or int(lengths.max()) < 2 or bool((lengths == lengths[0]).all()):
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
