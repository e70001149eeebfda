"""The one place where an error of ours ends: the program never sees it.

Every function of ours that the program's own calls can reach is wrapped by `Guard.wrap` under the name of its capture
point. The wrapper also adds up the time that we spend. What the rest can do without is wrapped once more, by
`Guard.spare`: its error ends that part alone. For tests, `fault_at` makes a named point or part raise.
"""

import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter, thread_time
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from stetho.records import StepsReached

if TYPE_CHECKING:
    from stetho.capture._guard import Guarded, State, fault_at
else:
    try:
        from stetho.capture._guard import Guarded, State, fault_at
    except ImportError:  # no compiler
        from stetho.capture.plain_guard import Guarded, State, fault_at

__all__ = ["FILES", "Guard", "fault_at"]

_HERE = Path(__file__).parent
FILES = frozenset(str(_HERE / name) for name in ("guard.py", "plain_guard.py", "torch/unheard.py"))
"""Whose code may stand on the stack between a function of ours and who calls it; a native guard leaves no trace."""

P = ParamSpec("P")
R = TypeVar("R")


class Guard(State):
    """Catches our errors, detaches at the first one, and counts the time we use.

    >>> problems = []
    >>> guard = Guard(lambda point, text: problems.append(point))
    >>> broken = guard.wrap("demo", lambda: 1 / 0)
    >>> broken(), broken(), problems
    (None, None, ['demo'])
    """

    def __init__(self, on_trip: Callable[[str, str], None]) -> None:
        self.clock = perf_counter
        self.points: set[str] = set()
        self.on_lost: Callable[[str, str], None] = lambda _, __: None
        """Hears of a part that is lost, and of the traceback."""
        self._on_trip = on_trip

    def count_processor_time(self, counts: bool) -> None:
        """Let `worked` grow from here on, or no more: what other programs take of the machine is not in it."""
        self.processor = thread_time if counts else None

    def wrap(self, point: str, function: Callable[P, R], *, naps: bool = False) -> Callable[P, R | None]:
        """`function`, such that an exception in it detaches us instead of reaching the caller.

        One that `naps` is not called in steps that nobody looks at.
        """
        self.points.add(point)
        return Guarded(self, point, function, naps, StepsReached)

    def spare(self, name: str, thing: object, *methods: str) -> None:
        """Let these methods of a thing of ours be lost alone: they give None after the first error in one of them.

        >>> class Clumsy:
        ...     def look(self): return 1 / 0
        >>> guard, lost, clumsy = Guard(print), [], Clumsy()
        >>> guard.on_lost = lambda name, text: lost.append(name)
        >>> guard.spare("looking", clumsy, "look")
        >>> clumsy.look(), lost, guard.alive
        (None, ['looking'], True)
        """
        part = _Part(self, getattr(thing, "clear", None))
        for method in methods:
            setattr(thing, method, Guarded(part, name, getattr(thing, method), False, StepsReached))

    @property
    def is_inside(self) -> bool:
        """Whether a function of ours is running."""
        return self.entered is not None

    def failed(self, point: str, error: Exception) -> None:
        """A function of ours raised."""
        try:
            raise error
        except Exception:
            self.trip(point)

    @contextmanager
    def theirs(self) -> Iterator[None]:
        """Code of the user's that ours calls: its time is not ours."""
        start, processor = self.clock(), self.processor
        before = processor() if processor else 0.0
        try:
            yield
        finally:
            self.seconds -= self.clock() - start
            self.worked -= processor() - before if processor else 0.0

    def trip(self, point: str) -> None:
        """Take note of the exception being handled and detach."""
        if not self.alive:
            return
        self.alive = False
        self._on_trip(point, traceback.format_exc())


class _Part(State):
    """What the functions of one part share: the first error ends it, and what it holds is let go."""

    def __init__(self, guard: Guard, clear: Callable[[], None] | None) -> None:
        self.clock = guard.clock
        self._guard = guard
        self._clear = clear

    def failed(self, name: str, error: Exception) -> None:
        """A function of this part raised."""
        self.alive = False
        self._guard.on_lost(name, "".join(traceback.format_exception(error)))
        if self._clear is not None:
            self._clear()
