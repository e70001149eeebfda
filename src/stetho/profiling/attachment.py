"""Puts the profiler on a program as soon as the framework is there, and takes it off at the end.

Standard library only until then: the program's own settings come first.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from stetho.capture.on_import import when_imported
from stetho.errors import UsageError
from stetho.profiling.records import Profile, Span
from stetho.records import StepsReached

if TYPE_CHECKING:
    from stetho.profiling.torch.profiler import TorchProfiler


@dataclass(frozen=True, slots=True)
class Settings:
    """How long to measure: steps of each stage, steps before the first, seconds for trials (0: none)."""

    steps: int = 20
    warmup: int = 5
    trial_seconds: float = 0.0
    callback: Callable[[Span], object] | None = None

    def __post_init__(self) -> None:
        for name, least in (("steps", 1), ("warmup", 0), ("trial_seconds", 0)):
            value = getattr(self, name)
            if not isinstance(value, int | float) or isinstance(value, bool) or value < least:
                raise UsageError(f"`{name}` (={value!r}) must be a number of at least {least}")
        if self.callback is not None and not callable(self.callback):
            raise UsageError(f"`callback` (={self.callback!r}) must be a function that takes a span")


class Attachment:
    """A profile under way. `problem` tells why there is none."""

    def __init__(
        self, settings: Settings, *, ends_program: bool, on_stage: Callable[[str], None] = lambda _: None
    ) -> None:
        self._settings = settings
        self._on_stage = on_stage
        self._ends_program = ends_program
        self._call_off: Callable[[], None] = lambda: None
        self._profiler: TorchProfiler | None = None
        self.is_done = False
        self.problem = "the program did not import torch"

    def start(self) -> None:
        """Begin when the framework is imported, at once if it is there."""
        self._call_off = when_imported("torch", lambda _: self._attach())

    def adopt(self, model: Any) -> None:
        """Take a model that was made before."""
        if self._profiler is not None and model is not None:
            self._profiler.adopt(model)

    def run(self, function: Callable[[], object]) -> None:
        """Call a function until everything is measured: steps end with its calls, and nowhere else."""
        if self._profiler is not None:
            self._profiler.loop.steps_are_told()
        for _ in range(self._settings.warmup):
            function()
        while not self.is_done:
            function()
            self.step_done()

    def step_done(self) -> None:
        """A step is over."""
        if self._profiler is not None and not self.is_done:
            self._profiler.step_done()

    def failed(self, error: BaseException) -> bool:
        """The program was left by an error; says whether a trial of ours is to blame."""
        if self._profiler is None or not self._profiler.trials.is_on:
            return False
        self._profiler.trials.failed(error)
        return True

    def finish(self) -> Profile | None:
        """Take everything off, and say what was found."""
        self._call_off()
        profiler, self._profiler = self._profiler, None
        if profiler is None:
            return None
        before = random.getstate()
        from stetho.profiling.torch.assembly import profile_of

        profiler.remove()
        profile = profile_of(profiler, self._settings.callback)
        random.setstate(before)
        return profile

    def _attach(self) -> None:
        from stetho.profiling.torch.profiler import TorchProfiler

        self.problem = f"fewer than {self._settings.warmup + 1} steps were seen; a step ends with an optimizer's update"
        self._profiler = TorchProfiler(
            steps=self._settings.steps,
            warmup=self._settings.warmup,
            trial_seconds=self._settings.trial_seconds,
            on_trip=self._on_trip,
        )
        self._profiler.on_done = self._on_done
        self._profiler.on_stage = self._on_stage
        self._profiler.install()

    def _on_done(self) -> None:
        self.is_done = True
        if self._ends_program:
            raise StepsReached(0)
        if self._profiler is not None:
            self._profiler.remove()

    def _on_trip(self, point: str, trace: str) -> None:
        self.problem = f"profiling stopped at `{point}`: {trace.strip().splitlines()[-1]}"
        self.is_done = True
        if self._profiler is not None:
            self._profiler.remove()
            self._profiler = None
