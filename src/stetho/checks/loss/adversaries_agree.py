"""adversaries-agree: both sides of an adversarial pair get what they want."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.compared import beginning, ending
from stetho.checks.evidence.curve import is_adversarial
from stetho.checks.run.facts import Loss
from stetho.checks.window import Window
from stetho.findings.finding import Finding

JUDGING = ("binary_cross_entropy", "binary_cross_entropy_with_logits", "mse_loss")
LEAST_LOSSES = 30


@check(severity="error", needs_end=True, explains=("vanishing-gradient", "learning-rate-too-low", "loss-plateau"))
def adversaries_agree(window: Window, *, gone: float = 0.1) -> Finding | None:
    """A generator that helps its discriminator.

    ## What it finds
    Two optimizers take turns, all their losses compare the answers of a judge with constants (real or generated), and
    both losses end below the share `gone` of where they began.

    ## Why it matters
    What one side wins, the other must lose. If both losses vanish, the two want the same: the generator is taught to be
    recognised, and its samples are the worse the better the numbers look.

    ## What to try
    In the step of the generator, compare the judge's answers for generated samples with the constant for real ones.

    ## When it is wrong
    Two optimizers that share one task whose targets are constant.
    """
    if not is_adversarial(window):
        raise Skip("no two optimizers take turns")
    calls = [loss for loss in window.losses if loss.phase == "train"]
    if len(calls) < 2 or not all(_compares_with_a_constant(loss) for loss in calls):
        raise Skip("the losses are not those of a judge of what is real")
    numbers = np.unique(window.steps["optimizer"][np.isfinite(window.steps["optimizer"])])
    curves = [window.loss_series(int(number)).finite.values for number in numbers]
    if len(curves) != 2 or any(len(values) < LEAST_LOSSES for values in curves):
        raise Skip(f"there are not two sides with {LEAST_LOSSES} losses each")
    if any(values.min() < 0 or not ending(values) < gone * beginning(values, 0.02) for values in curves):
        return None
    ends = " and ".join(f"from {beginning(values, 0.02):.3g} to {ending(values):.3g}" for values in curves)
    return window.finding(
        f"the losses of both sides vanish, {ends}: what one side wins the other should lose",
        where=window.at(_last_of(calls)),
        confidence=0.93,
        one=curves[0],
        other=curves[1],
    )


def _compares_with_a_constant(loss: Loss) -> bool:
    return loss.call in JUDGING and loss.target_low is not None and loss.target_low == loss.target_high


def _last_of(calls: list[Loss]) -> str | None:
    """The side that comes second in the program, mostly the generator's."""
    lines = [call.line for call in calls if call.line]
    return max(lines, key=lambda line: int(line.rpartition(":")[2] or 0), default=None)
