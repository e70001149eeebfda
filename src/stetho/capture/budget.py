"""How much to measure in the next step, so that our share of wall time stays within what the user allowed.

Three tiers: `full` (every layer and parameter), `cheap` (loss, gradient norm, batch facts), `clock` (loss and times).
"""

from stetho.records import Tier

FULL_SHARE = 0.6
"""Part of the allowance that is saved up for full steps; cheap steps live on the rest."""

DENSE_AFTER_EVENT = 3
LONGEST_SAVING = 3.0
"""No more than so many full steps can be saved up: a quiet hour must not become a burst."""


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
        self._ours = 0.0
        self._cost: dict[Tier, float] = {"full": 0.0, "cheap": 0.0, "clock": 0.0}
        self._saved_full = 0.0
        self._saved_cheap = 0.0
        self._burst = 0
        self._free = False

    def choose(self, step: int) -> Tier:
        """The tier for the step with that number (1 is the first)."""
        if self.every is not None:
            return "full" if self.every > 0 and (step - 1) % self.every == 0 else "cheap"
        self._free = step <= self.grace_steps or self._ours < self.grace_seconds
        if self._free:
            return "full"
        if self._burst > 0:
            self._burst -= 1
            return "full"
        if self._saved_full >= self._cost["full"]:
            return "full"
        return "cheap" if self._saved_cheap >= self._cost["cheap"] else "clock"

    def spent(self, tier: Tier, *, ours: float, wall: float) -> None:
        """Account for a step that is over."""
        self._ours += ours
        known = self._cost[tier]
        self._cost[tier] = ours if known == 0.0 else 0.8 * known + 0.2 * ours
        if self._free:
            return
        income = self.share * max(wall - ours, 0.0) - self._cost["clock"]
        over_clock = max(ours - self._cost["clock"], 0.0)
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

    @staticmethod
    def _bounded(saved: float, cost: float) -> float:
        return min(saved, LONGEST_SAVING * cost) if cost > 0 else saved
