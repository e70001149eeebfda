"""Where the weights of an attention lie: on real places of the input, or on those that are only filled up."""

from collections.abc import Iterable, Iterator, Mapping

import torch
from torch import Tensor

from stetho.capture.torch.calls.leaves import tensor_leaves
from stetho.capture.torch.feed.padding import padded_numbers, padded_positions

MOST_ELEMENTS = 1 << 22
NOTHING = 0.01
SOMETHING = 0.05
LEAST_ROWS = 4
"""Of the batch, so many rows must have both real places and padding."""


class Attended:
    """The inputs of one pass, with which weights inside of the model are compared.

    >>> ids = torch.tensor([[5, 6, 7, 0, 0, 0], [5, 6, 0, 0, 0, 0], [5, 9, 8, 2, 0, 0], [9, 8, 7, 1, 3, 0]])
    >>> Attended([ids]).shares((ids == 0).float().log().softmax(-1))
    {'on_real': 0.0, 'on_padding': 1.0}
    """

    def __init__(self, inputs: Iterable[object]) -> None:
        self._inputs = [tensor for value in inputs for _, tensor in tensor_leaves(value)]
        self._padded: list[Tensor] | None = None

    def shares(self, weights: Tensor, samples: int | None = None) -> dict[str, object]:
        """The shares of the weights, which run along the last axis, on real places and on padding of an input.

        Of an attention over several inputs, that one counts whose padding it looks at least. `samples` is the size of
        the batch that the weights are a part of; nothing is said where they do not fit.
        """
        if self._padded is None:
            self._padded = [padded for tensor in self._inputs for padded in _padded(tensor)]
        found = [_shares(weights, padded, samples) for padded in self._padded]
        known = [each for each in found if each is not None]
        if not known:
            return {}
        real, padding = max(known)
        return {"on_real": real, "on_padding": padding}


def is_blind(fact: Mapping[str, object]) -> bool:
    """Whether an attention sees padding, and hardly anything else."""
    real, padding = fact.get("on_real"), fact.get("on_padding")
    return isinstance(real, float) and isinstance(padding, float) and real < NOTHING and padding > SOMETHING


def is_square(fact: Mapping[str, object]) -> bool:
    """Whether something is the attention of each place to all places of the same sequence.

    >>> is_square({"op": "Softmax", "shape": [8, 4, 16, 16]}), is_square({"op": "Softmax", "shape": [32, 10]})
    (True, False)
    """
    shape = fact.get("shape")
    return fact.get("op") == "Softmax" and isinstance(shape, list | tuple) and len(shape) > 2 and shape[-1] == shape[-2]


def _padded(tensor: Tensor) -> Iterator[Tensor]:
    """Where an input [samples, places, …] is padding, or one with the places first."""
    if tensor.dim() not in (2, 3) or tensor.numel() > MOST_ELEMENTS or tensor.dtype is torch.bool:
        return
    look = padded_numbers if tensor.is_floating_point() else padded_positions
    for each in (tensor.detach(), tensor.detach().transpose(0, 1)):
        padded = look(each)
        if padded is not None:
            yield padded


def _shares(weights: Tensor, padded: Tensor, samples: int | None) -> tuple[float, float] | None:
    rows, places = padded.shape
    # A token for the whole sample may stand before the others.
    before = weights.shape[-1] - places
    if before not in (0, 1) or weights.dim() < 2 or padded.device != weights.device:
        return None
    if samples is not None:
        if samples != rows:
            return None
        padded = padded[: len(weights)]
    if len(weights) % len(padded):
        return None
    queries = weights.shape[-2] if weights.dim() > 2 else 1
    each = weights.reshape(len(padded), -1, queries, weights.shape[-1]).float()
    both = padded.any(1) & ~padded.all(1)
    # What a filled up place looks at is nobody's concern, nor a query that may look at nothing at all.
    counts = both[:, None, None] & (each.sum(-1) > 0.5)
    if queries == weights.shape[-1]:
        counts = counts & ~torch.nn.functional.pad(padded, (before, 0))[:, None]
    if int(both.sum()) < LEAST_ROWS or not bool(counts.any()):
        return None
    parts = each[..., before:]
    real, filler = (torch.where(where[:, None, None], parts, 0).sum(-1)[counts] for where in (~padded, padded))
    return float(real.mean()), float(filler.mean())
