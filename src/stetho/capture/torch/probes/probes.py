"""When experiments are made, and what came of them: on copies, with the random state put back, inside the budget."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

from torch.nn import Module

from stetho.capture.guard import Guard
from stetho.capture.step import Clock
from stetho.capture.torch.autopsy.copied import Copies
from stetho.capture.torch.autopsy.kept import Event, RootCall
from stetho.capture.torch.autopsy.outside import Outside
from stetho.capture.torch.autopsy.states import unnoticed
from stetho.capture.torch.models.initialised import Initialised
from stetho.capture.torch.models.models import unwrapped
from stetho.capture.torch.probes.calls import Calls
from stetho.capture.torch.probes.side_effects import reason_against
from stetho.capture.torch.probes.stream import Stream

STEPS = (3, 40)
"""Experiments are made at the first step from each of these on that was kept: at the start, and when it has learnt."""
LARGEST = 64 << 20
"""Bytes of parameters and buffers; a larger model is not copied for this."""
LONGEST = 0.1
"""Seconds that one call may take; of a slower model no more than one is made."""


class Probes:
    """The experiments of a run; `result` is what model.json says of them."""

    def __init__(self, guard: Guard, clock: Clock, is_compiled: Callable[[], bool]) -> None:
        self._guard = guard
        self._clock = clock
        self._is_compiled = is_compiled
        self._waiting = list(STEPS)
        self._found: dict[str, Any] = {}
        self._stream: Stream | None = Stream()
        self._went_on: dict[str, Any] = {}

    def result(self) -> dict[str, Any] | None:
        """What was found by the last experiment, or why none was made."""
        return (self._found | ({"stream": self._went_on} if self._went_on else {})) or None

    def step_done(self, events: list[Event]) -> None:
        """A step is over of which this was kept."""
        call = next((e for e in events if isinstance(e, RootCall) and e.training and e.grad), None)
        if call is None:
            return
        if self._waiting and self._clock.done >= self._waiting[0]:
            self._waiting.pop(0)
            self._attempt(lambda: self._experiment(call), self._skip)
        if self._stream is not None and self._stream.is_due(call, self._clock.done):
            self._attempt(lambda: self._follow(call, events), self._stop_following)

    def _attempt(self, experiment: Callable[[], None], give_up: Callable[[str], None]) -> None:
        began = perf_counter()
        with self._undisturbed():
            try:
                experiment()
            except Exception as error:  # code of the program's, run once more by us
                give_up(f"{type(error).__name__}: {error}"[:300])
        self._clock.step.other_ours += perf_counter() - began

    def _follow(self, call: RootCall, events: list[Event]) -> None:
        began, module, stream = perf_counter(), unwrapped(call.module), self._stream
        if stream is None or self._reason_against(module) is not None:
            self._stop_following("")
            return
        with unnoticed(), Copies().put_back() as copies, Outside([module]).put_back():
            if copies.of(module) is not module:
                stream.compare(copies, call, events, self._clock.done)
                self._went_on = stream.result()
        if perf_counter() - began > 5 * LONGEST:
            self._stop_following("")

    def _stop_following(self, _reason: str) -> None:
        # One that does not work will not work later either, and one that is slow stays so.
        self._stream = None

    def _experiment(self, call: RootCall) -> None:
        module = unwrapped(call.module)
        reason = self._reason_against(module)
        if reason is not None:
            self._skip(reason)
            return
        with unnoticed(), Copies().put_back() as copies, Outside([module]).put_back():
            copied = copies.of(module)
            if copied is module:
                self._skip("the model cannot be copied")
                return
            found = Calls(copied, call, LONGEST, Initialised(self._guard)).run()
        if isinstance(found, str):
            self._skip(found)
        else:
            self._found = {"step": self._clock.done, "model": type(module).__name__, **found}

    def _reason_against(self, module: Module) -> str | None:
        size = sum(tensor.nbytes for tensor in (*module.parameters(), *module.buffers()) if not tensor.is_sparse)
        if self._is_compiled():
            return "the program compiles its model"
        if size > LARGEST:
            return f"the model has {size >> 20} MB"
        return reason_against(module)

    def _skip(self, reason: str) -> None:
        # One that does not work will not work later either.
        self._waiting.clear()
        self._found = self._found or {"skipped": reason}

    @contextmanager
    def _undisturbed(self) -> Iterator[None]:
        """Our own hooks take no notice."""
        asleep, self._guard.asleep = self._guard.asleep, True
        try:
            yield
        finally:
            self._guard.asleep = asleep
