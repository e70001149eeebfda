"""What the native guard does, in Python: for machines without a compiler."""

from collections.abc import Callable
from sys import getrecursionlimit, setrecursionlimit
from time import perf_counter
from typing import Any

ROOM = 200
"""Calls that a function of ours, and telling of its error, may be deep."""

_fault: str | None = None


def fault_at(point: str | None) -> None:
    """Make the functions of a capture point raise; `None` takes it back. For tests.

    >>> fault_at("step end"); fault_at(None)
    """
    global _fault
    _fault = point


class State:
    """What all functions behind one guard share."""

    alive = True
    asleep = False
    seconds = 0.0
    entered: float | None = None
    """When the function of ours that is running was called."""
    clock: Callable[[], float] = perf_counter
    worked = 0.0
    processor: Callable[[], float] | None = None
    """Tells the processor time of the thread, where it is counted."""
    listeners: tuple[Callable[[], object], ...] | None = None
    """Each tells whether somebody hears what our functions do."""
    apart: Callable[..., object]
    """Calls a function such that nobody hears it."""

    def so_far(self) -> float:
        """Our time including that of the function of ours that is asking."""
        return self.seconds + (self.clock() - self.entered if self.entered is not None else 0.0)

    def failed(self, point: str, error: Exception) -> None:
        """A function of ours raised."""
        raise NotImplementedError


_owed = 0
"""Room that could not be taken back yet."""


def _make_room(calls: int) -> None:
    """Let the stack be deeper: the program may have filled it, and what we do must not depend on what is left of it.

    Other threads do the same meanwhile, so room is added and taken back, and never set.
    """
    global _owed
    try:
        setrecursionlimit(getrecursionlimit() + calls - _owed)
        _owed = 0
    except RecursionError:
        # The program stands at its very limit, where none can be set: the next call of ours takes it back as well.
        _owed -= calls


class Guarded:
    """A function whose errors end here."""

    def __init__(
        self, state: State, point: str, function: Callable[..., Any], naps: bool, let_through: type[BaseException]
    ) -> None:
        self._state = state
        self._point = point
        self._naps = naps
        self._let_through = let_through
        self.__wrapped__ = function

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function; gives None where it raised, and where nobody looks."""
        state = self._state
        if not state.alive or (self._naps and state.asleep):
            return None
        room = ROOM if state.entered is None else 0
        _make_room(room)
        try:
            return self._timed(state, args, kwargs)
        finally:
            _make_room(-room)

    def _timed(self, state: State, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        outside, start = state.entered, state.clock()
        state.entered = start
        processor = state.processor
        before = processor() if processor is not None else 0.0
        try:
            if _fault is not None and _fault == self._point:
                raise RuntimeError(f"fault injected at `{self._point}`")
            if any(hears() for hears in state.listeners or ()):
                return state.apart(self.__wrapped__, *args, **kwargs)
            return self.__wrapped__(*args, **kwargs)
        except self._let_through:
            raise
        except RecursionError as error:
            # Our own room is full: there is none to take ourselves away, unless we make some.
            _make_room(ROOM)
            try:
                state.failed(self._point, error)
            finally:
                _make_room(-ROOM)
            return None
        except Exception as error:
            state.failed(self._point, error)
            return None
        finally:
            state.entered = outside
            if processor is not None:
                state.worked += processor() - before
            state.seconds += state.clock() - start
