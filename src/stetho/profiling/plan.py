"""What is measured when: the stages of a profile, one after the other, each for some steps of the program."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf

LEAST_STEPS = 3
"""A stage lasts so many steps however slow they are."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A stretch of steps with one kind of instrument: at most so many steps, or seconds."""

    name: str
    steps: int
    seconds: float = 20.0


def stages(*, steps: int, alone: bool = True) -> list[Stage]:
    """The stages of a profile without its trials.

    Only a program that runs `alone` may end a stage because of the time: processes that train together wait for each
    other, and must do the same number of steps.

    Steps without instruments come before and after those with them, so that a machine that grows slower or faster
    meanwhile is told from instruments that cost something. Lines come early, for programs of few steps, and once more.

    >>> [(stage.name, stage.steps) for stage in stages(steps=20)][:5]
    [('warm', 1), ('bare', 10), ('operations', 20), ('memory', 4), ('lines', 1000)]
    """
    found = [
        Stage("warm", 1),
        Stage("bare", max(steps // 2, 1), 10.0),
        Stage("operations", steps),
        Stage("memory", min(steps, 4)),
        Stage("lines", 50 * steps, 0.3),
        Stage("bare", 50 * steps, 1.0),
        Stage("lines", 50 * steps, 0.7),
    ]
    return found if alone else [Stage(stage.name, min(stage.steps, steps), inf) for stage in found]


class Plan:
    """Where the profile is in its stages.

    >>> plan = Plan([Stage("warm", 1), Stage("bare", 2)])
    >>> [plan.step_done(0.0) for _ in range(3)], plan.stage
    ([True, False, True], None)
    """

    def __init__(self, stages: Sequence[Stage]) -> None:
        self._stages = list(stages)
        self._done = 0
        self._began: float | None = None

    @property
    def stage(self) -> Stage | None:
        """The stage under way; None when all are over."""
        return self._stages[0] if self._stages else None

    def step_done(self, now: float) -> bool:
        """A step is over; says whether that ended the stage."""
        stage = self.stage
        if stage is None:
            return False
        if self._began is None:
            self._began = now
        self._done += 1
        is_slow = now - self._began > stage.seconds and self._done >= LEAST_STEPS
        if self._done < stage.steps and not is_slow:
            return False
        self._stages.pop(0)
        self._done, self._began = 0, now
        return True

    def shorten(self, steps: int) -> None:
        """Let the stage under way last at most so many steps."""
        stage = self._stages[0]
        self._stages[0] = replace(stage, steps=min(stage.steps, max(steps, LEAST_STEPS)))

    def append(self, stages: Sequence[Stage]) -> None:
        """More to do at the end."""
        self._stages += stages

    def drop(self) -> None:
        """Nothing more to do."""
        self._stages.clear()
