"""Trials: the program's own loop with one setting changed at a time, for a bounded time, and its speed with each."""

import os
from collections.abc import Sequence
from itertools import accumulate
from time import perf_counter
from typing import Any

from stetho.profiling.clock import StepTime
from stetho.profiling.plan import LEAST_STEPS, Stage
from stetho.profiling.records import Trial
from stetho.profiling.torch.changes import Change, proposals
from stetho.profiling.torch.loop import Loop
from stetho.profiling.verdict import AS_IT_IS

STEPS_OF_A_TRIAL = 3
"""A change is tried only if so many steps of it fit into the time, beside those in which it settles."""
FEWEST = 2
"""Fewer steps than these tell nothing of a change."""
NO_TIME = "the time for trials was over; a larger --try has room for it"
FEW = "too few steps in its share of the time; a larger --try has room for more"
MUCH = 0.2
"""A loop that waits for data for more than this part of a step is helped by its loader first."""


class Trials:
    """What is tried, what was found, and the change that the program runs with now."""

    def __init__(self, loop: Loop, *, seconds: float, steps: int) -> None:
        self._loop = loop
        self._seconds = seconds
        self._steps = steps
        self._left: list[Change] = []
        self._without_time: list[Change] = []
        self._current: Change | None = None
        self._end = 0.0
        self._is_over = False
        self.is_missing = seconds > 0
        """Whether something was to be tried, and it did not come to that."""
        self.found: list[Trial] = []

    @property
    def is_on(self) -> bool:
        """Whether the program runs with a setting that is not its own."""
        return self._current is not None

    @property
    def left(self) -> list[str]:
        """What could not be tried, though there was time for it."""
        return [change.setting for change in self._left] if perf_counter() <= self._end else []

    @property
    def late(self) -> list[Trial]:
        """What there was no time for."""
        late = [*(self._left if perf_counter() > self._end else []), *self._without_time]
        return [Trial(change.setting, 0.0, problem=f"not tried: {NO_TIME}") for change in late]

    @property
    def next_setting(self) -> str:
        """What is tried next; nothing once the time is over."""
        return self._left[0].setting if self._left and self._has_time else ""

    @property
    def _has_time(self) -> bool:
        return not self._is_over and perf_counter() <= self._end

    def cancel(self) -> None:
        """Try nothing more."""
        self._seconds = 0.0
        self._is_over = True

    def plan(self, times: Sequence[StepTime], device: str, batch: Any) -> list[Stage]:
        """The stages in which changes are tried, from what steps without instruments took."""
        if not self._seconds or not times:
            return []
        step = sum(time.wall for time in times) / len(times)
        waits = sum(time.data for time in times) / len(times) > MUCH * step
        every = proposals(self._loop, device, cores=os.cpu_count() or 1, input_first=waits, batch=batch)
        needs = [each.settling + STEPS_OF_A_TRIAL for each in every]
        fitting = sum(need * step <= self._seconds for need in accumulate(needs))
        count = max(2, fitting)
        self._left, self._without_time = every[:count], every[count:]
        self.is_missing = False
        self._end = perf_counter() + self._seconds
        share = self._seconds / sum(needs[:count])
        return [
            Stage("trial", each.settling + 2 * self._steps, need * share)
            for each, need in zip(self._left, needs, strict=False)
        ]

    def begin(self) -> bool:
        """Begin the next one; False if there is no time left."""
        if not self._has_time or not self._left:
            return False
        self._current = self._left.pop(0)
        self._loop.keeps_batch = True
        try:
            self._current.begin()
        except Exception as error:
            self.failed(error)
            self._current.end()
            self._current = None
        return True

    def end(self, times: Sequence[StepTime]) -> None:
        """The current one is over; `times` are its steps."""
        change, self._current = self._current, None
        if change is None:
            return
        change.end()
        settled = times[change.settling :]
        counted = settled or times[-1:]
        kept = [time for time in counted if not time.is_unusual] or counted
        if len(times) < LEAST_STEPS:
            # The program came to its end.
            self._left.insert(0, change)
        else:
            speed = len(kept) / sum(time.wall for time in kept)
            # Counted and not taken from one batch: the last of an epoch may be a short one.
            samples = sum(time.samples for time in kept) / sum(time.wall for time in kept)
            is_enough = len(settled) >= FEWEST or change.setting == AS_IT_IS
            problem = None if is_enough else FEW
            self.found.append(Trial(change.setting, speed, samples or None, len(settled), problem))
        self._loop.last_batch = None

    def failed(self, error: BaseException) -> None:
        """An error came while a change was tried: that is what is known of the change."""
        if self._current is not None:
            text = str(error).splitlines()[0] if str(error) else ""
            self.found.append(Trial(self._current.setting, 0.0, problem=f"{type(error).__name__}: {text}"))
