"""loss-plateau: the loss stays where it began."""

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.curve import Curve, is_supervised, main_curve
from stetho.checks.evidence.outcome import error_left
from stetho.checks.window import Window
from stetho.findings.finding import Finding

LEARNT = 0.7
"""With less than this share of the error of a guess, something was learnt."""


@check(severity="warning", needs_end=True)
def loss_plateau(window: Window, *, fall: float = 0.02, long: int = 100, least: int = 30) -> Finding | None:
    """The loss does not fall.

    ## What it finds
    A loss that ends within the share `fall` of its start and was never lower in between, after `least` steps or
    more, and after which no evaluation shows that it fell. It is a symptom: its cause, if another check knows one,
    comes first.

    ## Why it matters
    Nothing is learnt, and more steps will not change that.

    ## What to try
    Look at the other findings first; then try to fit a single batch, which tells a fault in the program from a hard
    task.

    ## When it is wrong
    Losses that need not fall: games between models, policy gradients. Those, runs of fewer than `long` steps and
    losses that stetho does not know are notes.
    """
    curve = main_curve(window)
    if curve.count < least:
        raise Skip(f"fewer than {least} losses were seen")
    if not curve.ends_finite or curve.start <= 0:
        return None
    lowest = (curve.start - curve.best) / curve.start
    if abs(curve.fall) > fall or lowest > 2 * fall + curve.noise / curve.start:
        return None
    if _left_unseen(window, curve):
        return None
    is_clear = is_supervised(window) and curve.count >= long
    return window.finding(
        f"the loss is {curve.start:.4g} at the start and {curve.end:.4g} after {curve.count} steps",
        where=window.at(window.line("backward")),
        severity=None if is_clear else "note",
        confidence=0.7,
        loss=curve.series.values,
        grad_norm=window.steps["grad_norm"],
    )


def _left_unseen(window: Window, curve: Curve) -> bool:
    """Whether an evaluation after the last loss that was seen shows that the plateau came to an end.

    Of short steps later ones are not all looked at, evaluations are.
    """
    evaluated, left = window.batches("eval")["step"], error_left(window)
    is_later = len(evaluated) > 0 and evaluated.max() > curve.series.steps[-1]
    return bool(is_later and left is not None and left < LEARNT)
