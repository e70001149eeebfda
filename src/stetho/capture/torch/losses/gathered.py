"""Evaluations that gather their answers batch by batch and compare them with all labels at once.

Each batch brought its own labels. If a program compares exactly the answers that its model gave, in their order, with
exactly these labels in another order, its score says nothing.
"""

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from stetho.capture.source import line_of, user_frame
from stetho.capture.torch.patches import Patches
from stetho.stats.arrays import array_of

Labels = npt.NDArray[np.int64]
LEAST_ANSWERS = 50
METRICS = "sklearn.metrics._classification"


class Gathered:
    """The answers of the evaluation under way, and what they are compared with. Follows nothing outside of one."""

    def __init__(self) -> None:
        self._said: list[Labels] = []
        self._right: list[Labels] = []
        self._patches = Patches()
        self.waiting: Callable[[], tuple[Labels, Labels] | None] = lambda: None
        """The answers of a batch that is not over yet, and their labels."""
        self.on_comparison: Callable[..., object] = self.compare
        """Called in the place of `compare`, which may be guarded by it."""
        self._found: dict[str, object] | None = None

    def add(self, said: Labels, right: Labels) -> None:
        """A batch of an evaluation is over."""
        if not self._said:
            self._follow()
        self._said.append(said)
        self._right.append(right)

    def over(self) -> None:
        """Training goes on: no comparison is followed, and no answer kept."""
        if self._said:
            self._patches.undo()
            self._said, self._right = [], []

    def result(self) -> dict[str, object] | None:
        """What was compared with labels in another order; None where all was in order."""
        return self._found

    def _follow(self) -> None:
        for owner, name in ((Tensor, "__eq__"), (torch, "eq")):
            self._patches.around(owner, name, after=lambda _, *sides, **__: self.on_comparison(*sides))
        # All scores of classes go through it, however their functions were imported.
        scores = sys.modules.get(METRICS)
        if scores is not None:
            self._patches.around(scores, "_check_targets", before=lambda *sides, **__: self.on_comparison(*sides))

    def compare(self, first: Any = None, second: Any = None, *_: object) -> None:
        """The program compares two things: are they the answers and their labels?"""
        if not (_is_row(first) and _is_row(second)) or len(first) != len(second):
            return
        batches = [*zip(self._said, self._right, strict=True)]
        waiting = self.waiting()
        batches += [waiting] if waiting is not None else []
        if len(first) > sum(len(said) for said, _ in batches):
            return
        said, right = (np.concatenate(parts)[-len(first) :] for parts in zip(*batches, strict=True))
        for answers, labels in ((first, second), (second, first)):
            answered, compared = _plain(answers), _plain(labels)
            if answered is None or compared is None or not np.array_equal(answered, said):
                continue
            if not np.array_equal(compared, right) and np.array_equal(np.sort(compared), np.sort(right)):
                shares = {"compared": float(np.mean(said == compared)), "own": float(np.mean(said == right))}
                line = line_of(user_frame(sys._getframe(1)))
                self._found = {**shares, "count": len(said), "line": str(line) if line is not None else None}


def _is_row(values: Any) -> bool:
    """Whether these are many whole numbers in a row."""
    if not isinstance(values, Tensor | np.ndarray | list) or len(getattr(values, "shape", (0,))) != 1:
        return False
    return len(values) >= LEAST_ANSWERS and (not isinstance(values, Tensor) or values.device.type == "cpu")


def _plain(values: Any) -> Labels | None:
    found = array_of(values) if isinstance(values, Tensor) else np.asarray(values)
    return found.astype(np.int64) if found.dtype.kind in "iu" else None
