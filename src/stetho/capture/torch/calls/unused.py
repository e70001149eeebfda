"""Passes in training mode with gradients on that no backward pass comes through: an evaluation, most often."""

import functools
import sys
import weakref
from itertools import islice

from torch import Tensor

from stetho.capture.lines import Lines
from stetho.capture.recorder import Recorder
from stetho.capture.source import line_of, user_frame
from stetho.capture.step import Clock
from stetho.capture.torch.calls.layers import ignoring_result, on_gradient
from stetho.capture.torch.calls.leaves import first_tensor, tensor_leaves
from stetho.capture.torch.calls.passes import Pass
from stetho.capture.torch.feed.batches import Batches

EVENT = "unused forward"
MOST_LEAVES = 8
MOST_PASSES = 64
"""So many passes of a step are followed; an evaluation that is longer looks the same."""


class Followed:
    """A pass whose output waits for a gradient."""

    __slots__ = ("is_used", "line", "place", "row", "trained_at")

    def __init__(self, row: dict[str, object], line: str | None, place: object, trained_at: set[object]) -> None:
        self.row = row
        self.line = line
        self.place = place
        self.trained_at = trained_at
        self.is_used = False

    def used(self, _gradient: Tensor) -> None:
        """A gradient came."""
        self.is_used = True
        self.trained_at.add(self.place)


class Unused:
    """Follows the outputs of training passes, and records those that turn out to be for nothing."""

    def __init__(self, recorder: Recorder, clock: Clock, batches: Batches, lines: Lines) -> None:
        self._recorder = recorder
        self._clock = clock
        self._batches = batches
        self._lines = lines
        self._now: list[Followed] = []
        self._before: list[Followed] = []
        self._last: weakref.ref[Tensor] | None = None
        self._is_repeated = False
        self.is_due = False
        """Whether something is followed that the end of a step is for."""

    def follow(self, done: Pass, args: object, output: object) -> None:
        """A training pass gave this output."""
        inputs = first_tensor(args)
        leaves = [tensor for _, tensor in islice(tensor_leaves(output), MOST_LEAVES + 1)]
        waiting = [tensor for tensor in leaves if tensor.grad_fn is not None]
        if inputs is None or inputs.dim() == 0 or not waiting or len(leaves) > MOST_LEAVES:
            return  # Nobody could tell whether it is used.
        self.is_due = True
        # The same tensor again: many passes through dropout, or a look at the batch that was just trained on.
        self._is_repeated |= self._last is not None and self._last() is inputs
        self._last = weakref.ref(inputs)
        if len(self._now) >= MOST_PASSES:
            return
        line = line_of(user_frame(sys._getframe(1)))
        row: dict[str, object] = {"step": self._clock.step.number, "time": self._recorder.clock(), "phase": "unused"}
        row |= {"model": done.model.id, "loader": self._batches.loader, "training": True, "grad": True}
        row |= {"size": inputs.shape[0], "shape": list(inputs.shape)}
        followed = Followed(row, str(line) if line is not None else None, done.place, self._batches.trained_at)
        for tensor in waiting:
            on_gradient(tensor, functools.partial(ignoring_result, followed.used))
        self._now.append(followed)

    def step_done(self) -> None:
        """A step is over. A pass may be used in the next one still: two optimizers can share it."""
        if self._batches.evaluated_at:
            self._lines.found["evaluation"] = [f"{file}:{line}" for file, line in self._batches.evaluated_at]
        if self._batches.evaluated_by:
            self._lines.found["evaluation called"] = self._batches.evaluated_by
        if self._before:
            self._record()
        if self._now:
            self._before, self._now = ([] if self._is_repeated else self._now), []
        self._is_repeated = False
        self.is_due = bool(self._before)

    def finish(self) -> None:
        """No backward pass will come any more."""
        self.step_done()
        self._record()
        self.clear()

    def clear(self) -> None:
        """Forget what was followed."""
        self._before, self._now, self._last = [], [], None

    def _record(self) -> None:
        for followed in self._before:
            if not followed.is_used:
                self._recorder.row("batches", followed.row)
                known = self._lines.found.setdefault(EVENT, [])
                if followed.line is not None and followed.line not in known:
                    known.append(followed.line)
        self._before = []
