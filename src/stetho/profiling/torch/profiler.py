"""The profiler of a PyTorch program: instruments put on and taken off stage by stage, at the ends of its steps."""

import os
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import psutil
import torch
from torch._C._profiler import _RecordFunctionFast as Scope
from torch.nn import Module
from torch.optim import Optimizer

from stetho.capture.guard import Guard
from stetho.capture.source import user_frame
from stetho.capture.torch.models.models import Models
from stetho.capture.torch.patches import Patches
from stetho.capture.torch.scripting import scripting
from stetho.capture.torch.updates.settings import parameters_of
from stetho.profiling.clock import Clock, StepTime
from stetho.profiling.events import MARK, Event
from stetho.profiling.growth import Held, Name
from stetho.profiling.plan import Plan, Stage, stages
from stetho.profiling.sampling import Sampler
from stetho.profiling.torch.counting import Counting
from stetho.profiling.torch.held import Sizes, held_by
from stetho.profiling.torch.holders import snapshot
from stetho.profiling.torch.loop import Loop
from stetho.profiling.torch.saved import Saved
from stetho.profiling.torch.scopes import Scopes
from stetho.profiling.torch.timeline import Timeline
from stetho.profiling.torch.trials import Trials
from stetho.profiling.units import Units

SECONDS_BETWEEN_LOOKS = 0.05
MOST_CALLS = 20_000
"""Calls of layers that are recorded at most; a network of thousands of layers is recorded for fewer steps."""


@dataclass(slots=True)
class Measured:
    """Everything that the instruments found, as it was found."""

    times: dict[str, list[StepTime]] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    process: list[tuple[int, int]] = field(default_factory=list)
    """Memory of the process after so many steps."""
    held: list[dict[Name, Held]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    batch: Any = None


class TorchProfiler:
    """Profiles what runs between `install` and `remove`; `on_done` is called when there is nothing more to measure."""

    def __init__(self, *, steps: int, warmup: int, trial_seconds: float, on_trip: Callable[[str, str], None]) -> None:
        self._steps = steps
        self._guard = Guard(on_trip)
        self._patches = Patches()
        is_alone = int(os.environ.get("WORLD_SIZE") or 1) == 1
        self._plan = Plan(stages(steps=steps, alone=is_alone))
        self.units = Units(warmup)
        self.loop = Loop(self._guard, self.units)
        self.scopes = Scopes(self._guard)
        self.saved = Saved(self._guard, self.scopes)
        self.counting = Counting(self._guard, self.scopes)
        self._timeline = Timeline()
        self.sampler = Sampler(threading.get_ident(), lambda: self._guard.is_inside)
        self._clock = Clock(self._guard.so_far)
        self.trials = Trials(self.loop, seconds=trial_seconds if is_alone else 0.0, steps=steps)
        self._held: list[Sizes] = []
        self._done = 0
        self._look_at = 0.0
        self._process = psutil.Process()
        self.measured = Measured()
        self.on_done: Callable[[], None] = lambda: None
        self.on_stage: Callable[[str], None] = lambda _: None
        """Hears what is measured from now on."""
        self.loop.on_step = self.step_done

    @property
    def models(self) -> Models:
        """The models that were called."""
        return self.scopes.models

    def install(self) -> None:
        """Begin."""
        self.loop.install(self._patches)
        self.scopes.install(self._patches)
        self._patches.replace(torch.jit, "script", scripting(lambda _: self._patches.suspended()))
        self._begin_stage()
        self._clock.begin()

    def adopt(self, model: Module) -> None:
        """Take a model that was made before."""
        self.models.adopt(model, user_frame(sys._getframe(1)))

    def remove(self) -> None:
        """Take everything off, in whatever stage it is."""
        self.trials.cancel()
        stage = self._plan.stage
        if stage is not None:
            self._plan.drop()
            self._end_stage(stage)
        self.loop.remove()
        self.scopes.remove()
        self._patches.undo()

    def held(self) -> list[Sizes]:
        """What was held after the steps whose memory was measured, when gradients were there."""
        return self._held or held_by(self.scopes, self._optimizers())

    def _optimizers(self) -> list[Optimizer]:
        return [optimizer for reference in self.loop.optimizers if (optimizer := reference()) is not None]

    def step_done(self) -> None:
        """A step of the program is over."""
        stage = self._plan.stage
        if stage is None:
            return
        self._done += 1
        loop = self.loop
        time = self._clock.end(loop.data_seconds, loop.data_processor, is_unusual=loop.is_unusual, samples=loop.samples)
        loop.data_seconds, loop.data_processor, loop.samples = 0.0, 0.0, 0
        loop.is_unusual = False
        self.measured.times.setdefault(stage.name, []).append(time)
        self._between(stage)
        if self.units.is_settled and self._plan.step_done(perf_counter()):
            self._end_stage(stage)
            self._begin_stage()
            loop.is_unusual = True  # caches are cold after this
        self._clock.begin()

    # ---- stages

    def _between(self, stage: Stage) -> None:
        if stage.name == "operations":
            _mark()
        elif stage.name in ("bare", "lines") and perf_counter() > self._look_at:
            # Not at every step: what is done between steps makes the next one slower, by what it leaves in the caches.
            self.measured.process.append((self._done, self._process.memory_info().rss))
            self._look_at = perf_counter() + SECONDS_BETWEEN_LOOKS
        if stage.name == "memory":
            self.saved.step_done()
            self.counting.step_done()
            self.measured.held.append(snapshot(sys._getframe(1)))

    def _begin_stage(self) -> None:
        stage = self._plan.stage
        if stage is None:
            self.on_done()
            return
        name = self.trials.next_setting if stage.name == "trial" else stage.name
        if name:
            self.on_stage(name)
        if stage.name == "warm":
            self.scopes.arm()
        elif stage.name == "bare":
            self.loop.stand_aside()
        elif stage.name == "operations":
            calls = self.scopes.calls / max(len(self.measured.times.get("warm", ())), 1)
            self._plan.shorten(int(MOST_CALLS / max(calls, 1)))
            self._record()
        elif stage.name == "lines":
            self.sampler.start()
        elif stage.name == "memory":
            self._begin_memory()
        elif stage.name == "trial":
            self._begin_trial()

    def _end_stage(self, stage: Stage) -> None:
        self.scopes.disarm()
        if stage.name == "bare":
            self.loop.come_back()
        elif stage.name == "operations":
            self.measured.events = self._timeline.stop()
        elif stage.name == "lines":
            self.sampler.stop()
            self._plan_trials()
        elif stage.name == "memory":
            self._end_memory()
        elif stage.name == "trial":
            self.trials.end(self.measured.times["trial"])

    def _record(self) -> None:
        if self._timeline.is_taken:
            self.measured.notes.append("the program profiles itself, and only one can: there are no layers here")
            return
        self.scopes.arm()
        self._timeline.start()
        _mark()

    def _begin_memory(self) -> None:
        self.loop.keeps_batch = True
        self.measured.held.append(snapshot(sys._getframe(1)))
        parameters = [p for model in self.models.all for w in model.weights.values() if (p := w.ref()) is not None]
        if not self.saved.start(parameters):
            self.measured.notes.append("the program has hooks on saved tensors: what is saved was not measured")
        self.scopes.arm()
        if not self.scopes.is_compiled:
            self.counting.start()

    def _end_memory(self) -> None:
        if not self.scopes.is_compiled:
            self.counting.stop()
        self.saved.stop()
        self._held = held_by(self.scopes, self._optimizers())
        self.loop.keeps_batch = False
        self.measured.batch, self.loop.last_batch = self.loop.last_batch, None

    # ---- trials

    def _plan_trials(self) -> None:
        if self._plan.stage is None and self._guard.alive:
            bare = self.measured.times.get("bare", [])
            self._plan.append(self.trials.plan(bare, self._device(), self.measured.batch))

    def _begin_trial(self) -> None:
        self.measured.times["trial"] = []
        if not self.trials.begin():
            self._plan.drop()
            self.on_done()

    def _device(self) -> str:
        for optimizer in self._optimizers():
            for parameter in parameters_of(optimizer):
                return str(parameter.device.type)
        return "cpu"


def _mark() -> None:
    with Scope(MARK):
        pass
