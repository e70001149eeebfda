"""The loop of somebody's program done in another way: its batches cut, merged or shared, one update for all parts.

Nothing of the program is changed. What its loop calls is: batches come from a `DataLoader`, losses go through
`backward`, and optimizers, schedulers and clipping act on the last part of a batch alone.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import torch
from torch import Tensor

from stetho.equivalence.torch.accumulate import RECIPES, USUAL
from stetho.equivalence.torch.parts import cut, merged, size_of
from stetho.errors import StethoError

PLAIN, SPLIT, MERGED, RANK = "plain", "split", "merged", "rank"


class NotPossible(StethoError):
    """A program whose loop cannot be done in another way; the message says why."""


@dataclass(frozen=True)
class LoopWay:
    """One way to go through the batches: `count` parts, batches or processes; of these, the process `rank`."""

    kind: str = PLAIN
    count: int = 1
    recipe: str = USUAL
    rank: int = 0
    finds_unused: bool = False
    """Whether processes look for parameters that get no gradient."""


class Loop:
    """Where the program is in its batches, and what it may do there."""

    def __init__(self, way: LoopWay) -> None:
        self.way = way
        self.sizes: list[int] = []
        """The samples of every batch that the program got since its last update."""
        self._share: tuple[int, int, int] = (1, 1, 1)
        self.has_gradients = False
        """Whether gradients of a part are waiting for those of the others, and must not be cleared."""
        self._is_last = True
        self._is_used = False

    @property
    def is_last(self) -> bool:
        """Whether this is the last part of a batch: weights may be updated."""
        return self._is_last

    def batches(self, given: Iterator[Any]) -> Iterator[Any]:
        """What the program gets instead of the batches of its loader."""
        if self.way.kind == MERGED:
            yield from self._merged(given)
            return
        for batch in given:
            if not torch.is_grad_enabled() or self.way.kind == PLAIN:
                self._arrive(batch)
                yield batch
            elif self.way.kind == RANK:
                part = self._parts(batch, self.way.count)[self.way.rank]
                self._arrive(part)
                yield part
            else:
                parts = self._parts(batch, min(self.way.count, _size(batch)))
                for place, part in enumerate(parts):
                    self._arrive(part)
                    self._share = size_of(part), size_of(batch), len(parts)
                    self._is_last = place == len(parts) - 1
                    yield part

    def weighed(self, loss: Tensor) -> Tensor | None:
        """What the backward pass of a loss begins with, where it is not 1."""
        if self.way.kind != SPLIT:
            return None
        return torch.full_like(loss, RECIPES[self.way.recipe](*self._share))

    def used(self) -> None:
        """The program is done with a part, and asks for an update that it does not get yet."""
        if self._is_used:
            raise NotPossible("it trains on one batch again and again, so that its parts never come one after another")
        self._is_used = True

    def updated(self) -> list[int]:
        """The sizes of the batches that an update was made of."""
        self.has_gradients = False
        sizes, self.sizes = self.sizes, []
        return sizes

    def _arrive(self, batch: Any) -> None:
        self.sizes.append(_size(batch))
        self._is_used = False

    def _parts(self, batch: Any, count: int) -> Sequence[Any]:
        if not _size(batch):
            raise NotPossible("its batches hold no tensor with samples along the first dimension, so they are not cut")
        return cut(batch, count)

    def _merged(self, given: Iterator[Any]) -> Iterator[Any]:
        while group := list(islice(given, self.way.count)):
            whole = merged(group)
            # The loop goes through as many batches as before; each of them is now all of them.
            for _ in group:
                self._arrive(whole)
                yield whole


def _size(batch: Any) -> int:
    try:
        return size_of(batch)
    except StethoError:
        return 0


def gated(loop: Loop, original: Callable[..., Any]) -> Callable[..., Any]:
    """A function that acts on the last part of a batch alone."""
    return lambda *args, **kwargs: original(*args, **kwargs) if loop.is_last else None
