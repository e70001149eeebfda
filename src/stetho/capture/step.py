"""The step under way, and the clock that ends it: what happened in which order, how long it took, what it cost us."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from math import isfinite
from threading import get_ident
from time import perf_counter

from stetho.capture.budget import Budget
from stetho.capture.guard import Guard
from stetho.capture.recorder import Recorder
from stetho.records import Status, Tier

LONGEST_ORDER = 64
SLOW = 50.0
"""Steps a second."""
CLOSE_EVERY = 20
"""Of short steps that are measured in full, so many once the free ones are over, one is looked at closely as well."""
MANY_FULL = 400
RARELY_CLOSE_EVERY = 100
"""The same after so many full steps: what surrounds the numbers hardly changes any more."""
UNSEEN_SECONDS = 1e-4
"""What a step that we look at costs beside our own time: the program finds less of what it needs in the caches."""
SPIKE = 6.0
"""A loss so many mean deviations above its running mean is an event that is worth a closer look."""


@dataclass(slots=True)
class Step:
    """What is known of the step under way."""

    number: int
    tier: Tier
    started: float
    ours_before: float
    order: list[str] = field(default_factory=list)
    forwards: int = 0
    backwards: int = 0
    batch_size: int | None = None
    losses: list[object] = field(default_factory=list)
    asked: list[object] = field(default_factory=list)
    """Losses whose gradients the program has asked for, to do with them what it likes."""
    facts: dict[str, object] = field(default_factory=dict)
    data_seconds: float = 0.0
    forward_seconds: float = 0.0
    backward_seconds: float = 0.0
    optimizer_seconds: float = 0.0
    other_ours: float = 0.0
    """Our time in it for what comes now and then: evaluations, descriptions."""
    in_closure: bool = False
    partial: bool = False
    """We woke in the middle of it: what came before is not known, so it gets no row."""
    close: bool = False
    """What surrounds the numbers is looked at as well: the batch, the graph, the lines; it can be run again."""
    kept: bool = False
    """What it does is kept until it ends, for an autopsy."""

    def event(self, name: str) -> None:
        """Something of the training loop happened."""
        if len(self.order) >= LONGEST_ORDER:
            # A whole game is played before an update: how a step begins and how it ends tells more than its middle.
            del self.order[LONGEST_ORDER // 2]
        self.order.append(name)


class Clock:
    """Counts steps. A step ends when an optimizer's step ends."""

    def __init__(self, budget: Budget, guard: Guard, recorder: Recorder) -> None:
        self._budget = budget
        self._guard = guard
        self._recorder = recorder
        self.tiers: dict[Tier, int] = {"full": 0, "cheap": 0, "clock": 0, "asleep": 0}
        self.began = perf_counter()
        self.on_end: list[Callable[[dict[str, object]], None]] = []
        self._mean = 0.0
        self._spread = 0.0
        self._losses_seen = 0
        self._slept = 0
        self.last_loss: float | None = None
        self._speed = 0.0
        self._thread: int | None = None
        self.step = self._next(1)

    def is_elsewhere(self, *, claims: bool = True) -> bool:
        """Whether another thread is asking than the one that is followed: the first to train, after its end the next.

        Steps that two threads make at the same time have no order, and what is held between begin and end is one's.
        """
        here = get_ident()
        if here == self._thread:
            return False
        is_free = all(thread.ident != self._thread for thread in threading.enumerate())
        if is_free and claims:
            self._thread = here
        return not is_free

    @property
    def done(self) -> int:
        """How many steps are over."""
        return self.step.number - 1

    def end(self, epoch: int | None, lrs: list[float]) -> dict[str, object]:
        """Close the step under way, record it, and begin the next one."""
        step = self.step
        wall, ours = perf_counter() - step.started, self._guard.so_far() - step.ours_before
        row = self._row(step, epoch, lrs, wall, ours)
        self._budget.spent(step.tier, ours=max(ours - step.other_ours, 0.0) + UNSEEN_SECONDS, wall=wall)
        if step.other_ours:
            self._budget.charge(step.other_ours)
        self._recorder.row("steps", row)
        if step.tier != "clock":
            self._recorder.settle()
        self.tiers[step.tier] += 1
        self._measure_speed(wall)
        loss = row["loss"]
        if isinstance(loss, float):
            self._look_for_event(loss)
        self.step = self._next(step.number + 1)
        for listener in self.on_end:
            listener(row)
        return row

    def sleep_on(self) -> bool:
        """A step is over that nobody looked at, or not from its beginning; whether the next one is like it for sure."""
        step = self.step
        self._slept += 1
        wall = perf_counter() - step.started
        if wall < self._budget.wake_after and not step.partial:
            # This is all that a step costs that is slept through, so it is not written more beautifully.
            step.number += 1
            return True
        ours = self._guard.so_far() - step.ours_before
        self._budget.slept(self._slept, ours=max(ours - step.other_ours, 0.0), wall=wall)
        self._budget.charge(step.other_ours)
        self.tiers["asleep"] += self._slept
        self._measure_speed(wall / self._slept)
        self._slept = 0
        self.step = self._next(step.number + 1)
        return False

    @property
    def is_slow(self) -> bool:
        """Whether steps take so long that a tenth of a millisecond is nothing."""
        return 0 < self._speed < SLOW

    def is_slower_than(self, speed: float) -> bool:
        """Whether there are fewer steps a second than these."""
        return 0 < self._speed < speed

    def stay_awake(self) -> None:
        """Somebody wants every step."""
        self._budget.may_sleep = False

    def wake(self) -> None:
        """Something happens that must not be missed: look from here on, until the step ends."""
        self._guard.asleep = False
        self.step.tier, self.step.partial = "clock", True

    def begin_anew(self) -> None:
        """Something is to be trained that was not before: its first steps tell as much as those of the run."""
        if self.done:
            self._budget.begin_anew(self.step.number)
        if self._guard.asleep:
            self.wake()

    def status(self) -> Status:
        """The numbers of the live line."""
        elapsed = max(perf_counter() - self.began, 1e-9)
        return Status(self.done, self.last_loss, self._speed, self._guard.seconds / elapsed, self.step.tier)

    def _next(self, number: int) -> Step:
        self._budget.worked = self._guard.worked
        if self._guard.processor is not None or number == 1:  # once they are used up, there are none again
            self._guard.count_processor_time(self._budget.has_free_seconds)
        tier = self._budget.choose(number)
        self._guard.asleep = tier == "asleep"
        close = tier == "full" and self._is_close(number)
        return Step(number, tier, perf_counter(), self._guard.so_far(), close=close)

    def _is_close(self, number: int) -> bool:
        # A few tenths of a millisecond: nothing to a slow step, and as much as all measurements to a short one.
        full = self.tiers["full"]
        every = CLOSE_EVERY if full <= MANY_FULL else RARELY_CLOSE_EVERY
        return full % every == 0 or self.is_slow or self._budget.is_free(number)

    def _measure_speed(self, wall: float) -> None:
        speed = 1 / max(wall, 1e-9)
        self._speed = speed if self._speed == 0 else 0.9 * self._speed + 0.1 * speed

    def _row(self, step: Step, epoch: int | None, lrs: list[float], wall: float, ours: float) -> dict[str, object]:
        return {
            "step": step.number,
            "time": self._recorder.clock(),
            "epoch": epoch,
            "tier": step.tier,
            "loss": step.losses[0] if len(step.losses) == 1 else _joined(step),
            "forwards": step.forwards,
            "backwards": step.backwards,
            "batch_size": step.batch_size,
            "lr": lrs[0] if lrs else None,
            "lrs": lrs,
            "skipped": False,
            "order": " ".join(step.order),
            "seconds": wall,
            "data_seconds": step.data_seconds,
            "forward_seconds": step.forward_seconds,
            "backward_seconds": step.backward_seconds,
            "optimizer_seconds": step.optimizer_seconds,
            "ours_seconds": ours,
            **step.facts,
        }

    def is_spike(self, loss: float) -> bool:
        """Whether a loss is far above what it was so far."""
        return self._losses_seen > 20 and loss > self._mean + SPIKE * self._spread

    @property
    def loss_limit(self) -> float | None:
        """What a loss does not exceed if it goes on as so far; None until enough was seen."""
        return self._mean + SPIKE * self._spread if self._losses_seen > 20 else None

    def _look_for_event(self, loss: float) -> None:
        self.last_loss = loss
        if not isfinite(loss):
            self._budget.event()
            return
        away = abs(loss - self._mean)
        if self.is_spike(loss):
            self._budget.event()
        self._losses_seen += 1
        weight = max(0.05, 1 / self._losses_seen)
        self._mean += weight * (loss - self._mean)
        self._spread += weight * (away - self._spread)


def _joined(step: Step) -> object:
    """One loss for the step: the mean over accumulated passes, the first evaluation of a closure."""
    if not step.losses:
        return None
    if len(step.losses) == 1 or step.in_closure:
        return step.losses[0]
    total = step.losses[0]
    for loss in step.losses[1:]:
        total = total + loss  # type: ignore[operator]  # numbers or one-element tensors of the framework
    return total / len(step.losses)  # type: ignore[operator]
