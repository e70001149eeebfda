"""How much to measure in the next step, so that our share of wall time stays within what the user allowed.

Three tiers: `full` (every layer and parameter), `cheap` (loss, gradient norm, batch facts), `clock` (loss and times).
Where a step is so short that even the clock is over the allowance, whole steps are left unseen: `asleep`.
"""

from stetho.config import Options
from stetho.records import Tier

WATCHING_SHARE = 0.7
"""Part of the budget for what we do in the program's own thread; judging, writing and calls of hooks need the rest."""

FULL_SHARE = 0.6
"""Part of the allowance that is saved up for full steps; cheap steps live on the rest."""

CLOCK_SHARE = 0.6
"""Part of the allowance that the clock may take before whole steps are slept through."""

AWAKE_STEPS = 8
"""We wake for so many steps in a row: alternating optimizers and what follows what must stay visible."""

ASLEEP_SECONDS = 8e-6
"""What a step costs that is slept through: our hooks are called and return at once."""

DENSE_AFTER_EVENT = 3
LONGEST_SAVING = 3.0
"""No more than so many full steps can be saved up: a quiet hour must not become a burst."""


MOST_PATIENCE = 3
"""Where others hold the processor, our free seconds of it may take so many times as long."""

FIRST_STEPS, MOST_BEGINNINGS = 30, 10
"""Of each training that begins later so many steps are free, of so many trainings."""


class Budget:
    """Chooses the tier of each step from what the steps before it cost.

    >>> budget = Budget(share=0.05, every=None, grace_steps=1, grace_seconds=0.0)
    >>> budget.choose(1)
    'full'
    >>> budget.spent("full", ours=0.5, wall=1.0); budget.choose(2)
    'cheap'
    """

    def __init__(self, *, share: float, every: int | None, grace_steps: int, grace_seconds: float) -> None:
        self.share = share
        self.every = every
        self.grace_steps = grace_steps
        self.grace_seconds = grace_seconds
        self.worked = 0.0
        """Seconds of processor time that we have used, counted as long as some are free."""
        self._ours = 0.0
        self.may_sleep = True
        self.wake_after = 0.0
        """Seconds that a sleep should last; known when one begins."""
        self._asleep = False
        self._cost: dict[Tier, float] = {"full": 0.0, "cheap": 0.0, "clock": 0.0, "asleep": 0.0}
        self._saved_clock = 0.0
        self._saved_full = 0.0
        self._saved_cheap = 0.0
        self._burst = 0
        self._free = False
        self._free_until = grace_steps
        self._beginnings = 0

    def choose(self, step: int) -> Tier:
        """The tier for the step with that number (1 is the first)."""
        if self.every is not None:
            return "full" if self.every > 0 and (step - 1) % self.every == 0 else "cheap"
        self._free = self.is_free(step)
        if self._free:
            return "full"
        if self._burst > 0:
            self._burst -= 1
            return "full"
        if self._sleeps():
            return "asleep"
        if self._saved_full >= self._cost["full"]:
            return "full"
        return "cheap" if self._saved_cheap >= self._cost["cheap"] else "clock"

    def is_free(self, step: int) -> bool:
        """Whether a step costs what it may: one of the first, or as long as little was spent."""
        return step <= self._free_until or self.has_free_seconds

    @property
    def has_free_seconds(self) -> bool:
        """Whether we have worked for less than is free; how busy the machine is must not change a verdict."""
        return self.worked < self.grace_seconds and self._ours < MOST_PATIENCE * self.grace_seconds

    def begin_anew(self, step: int) -> None:
        """In this step another training begins: what is free of the first steps of a run is free of it."""
        if self._beginnings < MOST_BEGINNINGS:
            self._beginnings += 1
            self._free_until = max(self._free_until, step + min(FIRST_STEPS, self.grace_steps))

    def slept(self, steps: int, *, ours: float, wall: float) -> None:
        """Account for steps that were slept through, all at once."""
        self.spent("asleep", ours=ours + steps * ASLEEP_SECONDS, wall=wall)

    def spent(self, tier: Tier, *, ours: float, wall: float) -> None:
        """Account for a step that is over."""
        self._ours += ours
        if self.every is not None:
            return
        known = self._cost[tier]
        self._cost[tier] = ours if known == 0.0 else 0.8 * known + 0.2 * ours
        if self._free:
            return
        clock, allowance = self._cost["clock"], self.share * max(wall - ours, 0.0)
        income = allowance - min(clock, CLOCK_SHARE * allowance)
        over_clock = max(ours - clock, 0.0)
        self._saved_clock += CLOCK_SHARE * allowance - (ours if tier == "asleep" else clock)
        self._saved_clock = max(min(self._saved_clock, AWAKE_STEPS * clock), -AWAKE_STEPS * clock)
        self._saved_full += FULL_SHARE * income - (over_clock if tier == "full" else 0.0)
        self._saved_cheap += (1 - FULL_SHARE) * income - (over_clock if tier == "cheap" else 0.0)
        self._saved_full = self._bounded(self._saved_full, self._cost["full"])
        self._saved_cheap = self._bounded(self._saved_cheap, self._cost["cheap"])

    def charge(self, ours: float) -> None:
        """Account for work outside of steps, such as looking at an evaluation."""
        self._ours += ours
        if not self._free:
            self._saved_full -= ours

    def event(self) -> None:
        """Something happened: look closely at the next steps, unless we are deep in debt already."""
        if self._burst == 0 and self._saved_full > -LONGEST_SAVING * self._cost["full"]:
            self._burst = DENSE_AFTER_EVENT

    def _sleeps(self) -> bool:
        """Whether the next step is slept through: from when nothing is saved until enough is for some steps."""
        if not self.may_sleep:
            return False
        enough = AWAKE_STEPS * self._cost["clock"]
        self._asleep = self._saved_clock < (enough if self._asleep else 0.0)
        if self._asleep:
            self.wake_after = (enough - self._saved_clock) / (CLOCK_SHARE * self.share)
        return self._asleep

    @staticmethod
    def _bounded(saved: float, cost: float) -> float:
        return min(saved, LONGEST_SAVING * cost) if cost > 0 else saved


def budget_of(options: Options) -> Budget:
    """The budget that the user asks for.

    >>> budget_of(Options(every=3)).every
    3
    """
    return Budget(
        share=WATCHING_SHARE * options.budget,
        every=1 if options.dry_run else options.every,
        grace_steps=options.grace_steps,
        grace_seconds=options.grace_seconds,
    )
