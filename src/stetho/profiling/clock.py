"""How long steps take without looking inside of them: wall time, processor time, and waiting for data."""

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter, thread_time

try:
    from resource import RUSAGE_SELF, getrusage
except ImportError:  # not on Windows
    getrusage = None  # type: ignore[assignment]

OUTLIER = 3.0
"""A step that takes so many times the median did something besides: saved a file, evaluated, was interrupted."""
SECONDS_BETWEEN_LOOKS = 0.01
"""Pauses are counted no more often than this: to ask the system for them makes the next half millisecond 2 % slower."""


@dataclass(frozen=True, slots=True)
class StepTime:
    """One step. `pauses` is how often the process gave up the processor by itself, an average where steps are short;
    `samples` is known in trials."""

    wall: float
    processor: float
    data: float
    data_processor: float
    pauses: float
    is_unusual: bool = False
    samples: int = 0


class Clock:
    """Measures from `begin` to `end`; what is done between `end` and the next `begin` is nobody's time.

    `ours` tells how much time functions of ours have taken so far: what they take in a step is none of it.
    """

    def __init__(self, ours: Callable[[], float] = lambda: 0.0) -> None:
        self._ours = ours
        self._steps = 0
        self._usual_pauses = 0.0
        self._looked, self._pauses = perf_counter(), _pauses()
        self.begin()

    def begin(self) -> None:
        """A step begins."""
        if not self._steps and perf_counter() - self._looked > SECONDS_BETWEEN_LOOKS:
            self._looked, self._pauses = perf_counter(), _pauses()
        self._processor = thread_time()
        self._before = self._ours()
        self._wall = perf_counter()

    def end(self, data: float, data_processor: float, *, is_unusual: bool, samples: int = 0) -> StepTime:
        """A step is over."""
        wall, ours = perf_counter() - self._wall, self._ours() - self._before
        processor = thread_time() - self._processor
        self._steps += 1
        if perf_counter() - self._looked > SECONDS_BETWEEN_LOOKS:
            self._usual_pauses = (_pauses() - self._pauses) / self._steps
            self._steps = 0
        return StepTime(wall - ours, processor - ours, data, data_processor, self._usual_pauses, is_unusual, samples)


def usual(times: Sequence[StepTime]) -> list[bool]:
    """Which of the steps are ordinary ones; if there are none, all are.

    >>> usual([StepTime(wall, wall, 0, 0, 0) for wall in (1.0, 1.1, 9.0)])
    [True, True, False]
    """
    ordinary = [time.wall for time in times if not time.is_unusual]
    if not ordinary:
        return [True] * len(times)
    middle = statistics.median(ordinary)
    return [not time.is_unusual and time.wall <= OUTLIER * middle for time in times]


def waiting(times: Sequence[StepTime]) -> float:
    """Seconds a step off the processor that were not spent on data, where the process paused by itself."""
    if not times or statistics.median(time.pauses for time in times) < 1:
        return 0.0
    idle = [(time.wall - time.processor) - (time.data - time.data_processor) for time in times]
    return max(statistics.median(idle), 0.0)


def _pauses() -> int:
    return int(getrusage(RUSAGE_SELF).ru_nvcsw) if getrusage is not None else 0
