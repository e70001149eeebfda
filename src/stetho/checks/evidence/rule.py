"""How far a simple rule goes that was made of recorded samples, without the model: do targets go with their inputs?"""

from dataclasses import dataclass

import numpy as np

from stetho.checks.evidence.chance import share_noise
from stetho.checks.run.series import Array
from stetho.checks.window import Window

LEAST_SAMPLES = 100
NUMBERS_NOISE = 3.0


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """Shares of right answers, or correlations where targets are numbers; NaN where it was not tried.

    `held` is for training samples that the rule was not made of, `evaluated` for evaluated ones. `evaluated_held` is a
    rule made of evaluated samples, for others of them, `mirrored` for those others mirrored in each way, and `trained`
    for training samples.
    """

    classes: int
    samples: int
    held: float
    chance: float
    groups: tuple[int, ...]
    evaluated_samples: int
    evaluated_chance: float
    evaluated: float
    evaluated_held: float
    trained: float
    mirrored: Array

    def beyond_chance(self, reached: float, *, of_evaluated: bool = False) -> bool:
        """Whether a share or a correlation is more than chance gives."""
        samples = self.evaluated_samples if of_evaluated else self.samples
        chance = self.evaluated_chance if of_evaluated else self.chance
        if not self.classes:
            return bool(reached > NUMBERS_NOISE / np.sqrt(max(samples, 1)))
        return reached > chance + share_noise(chance, samples)


def rule_of(window: Window) -> Rule | None:
    """The rule, where there were enough samples to make one.

    >>> from stetho.testing import make_window
    >>> rule_of(make_window(probes={"rule": {"samples": 400, "classes": 2, "held": 0.9}})).held
    0.9
    """
    found = window.probes.get("rule", {})
    if int(found.get("samples", 0)) < LEAST_SAMPLES:
        return None
    names = ("held", "chance", "evaluated_chance", "evaluated", "evaluated_held", "trained")
    return Rule(
        classes=int(found.get("classes", 0)),
        samples=int(found["samples"]),
        groups=tuple(int(each) for each in found.get("groups", ())),
        evaluated_samples=int(found.get("evaluated_samples", 0)),
        mirrored=np.asarray(found.get("mirrored", ()), float),
        **{name: float(found.get(name, np.nan)) for name in names},
    )
