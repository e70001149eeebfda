"""The one place where an error of ours ends: the program never sees it.

Every function of ours that the program's own calls can reach is wrapped by `Guard.wrap` under the name of its capture
point. The wrapper also adds up the time that we spend. For tests, `fault_at` makes a named point raise.
"""

import functools
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import ParamSpec, TypeVar

from stetho.records import StepsReached

P = ParamSpec("P")
R = TypeVar("R")

_fault: str | None = None


def fault_at(point: str | None) -> None:
    """Make the capture point of that name raise the next time it is reached; `None` takes it back. For tests.

    >>> fault_at("step end"); fault_at(None)
    """
    global _fault
    _fault = point


class Guard:
    """Catches our errors, detaches at the first one, and counts the time we use.

    >>> problems = []
    >>> guard = Guard(lambda point, text: problems.append(point))
    >>> broken = guard.wrap("demo", lambda: 1 / 0)
    >>> broken(), broken(), problems
    (None, None, ['demo'])
    """

    def __init__(self, on_trip: Callable[[str, str], None]) -> None:
        self.alive = True
        self.asleep = False
        self.seconds = 0.0
        self.points: set[str] = set()
        self.entered: float | None = None
        """When the function of ours that is running was called."""
        self._on_trip = on_trip

    def wrap(self, point: str, function: Callable[P, R], *, naps: bool = False) -> Callable[P, R | None]:
        """`function`, such that an exception in it detaches us instead of reaching the caller.

        One that `naps` is not called in steps that nobody looks at.
        """
        self.points.add(point)

        @functools.wraps(function)
        def guarded(*args: P.args, **kwargs: P.kwargs) -> R | None:
            if not self.alive or (naps and self.asleep):
                return None
            outside, start = self.entered, perf_counter()
            self.entered = start
            try:
                if _fault is not None and _fault == point:
                    raise RuntimeError(f"fault injected at `{point}`")
                return function(*args, **kwargs)
            except StepsReached:
                raise
            except Exception:
                self.trip(point)
                return None
            finally:
                self.entered = outside
                self.seconds += perf_counter() - start

        return guarded

    @property
    def is_inside(self) -> bool:
        """Whether a function of ours is running."""
        return self.entered is not None

    def so_far(self) -> float:
        """Our time including that of the function of ours that is asking."""
        return self.seconds + (perf_counter() - self.entered if self.entered is not None else 0.0)

    @contextmanager
    def theirs(self) -> Iterator[None]:
        """Code of the user's that ours calls: its time is not ours."""
        start = perf_counter()
        try:
            yield
        finally:
            self.seconds -= perf_counter() - start

    def trip(self, point: str) -> None:
        """Take note of the exception being handled and detach."""
        if not self.alive:
            return
        self.alive = False
        self._on_trip(point, traceback.format_exc())
