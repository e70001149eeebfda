"""scheduler-too-often: a schedule meant for epochs runs through in steps."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.symptoms import NOT_LEARNING
from stetho.checks.mechanisms.plateau import turned_about
from stetho.checks.mechanisms.used_up import used_up
from stetho.checks.window import Window
from stetho.findings.finding import Finding

FOR_EPOCHS = ("StepLR", "MultiStepLR", "ExponentialLR", "CosineAnnealingLR", "MultiplicativeLR")


@check(severity="error", explains=NOT_LEARNING)
def scheduler_too_often(window: Window, *, collapse: float = 1e-3, half: float = 0.5) -> Finding | None:
    """The learning rate is used up long before the training ends.

    ## What it finds
    A scheduler that steps in every step and brings the learning rate below `collapse` of its largest value before the
    share `half` of the run, or a cosine schedule that goes up and down several times. Of one that steps for epochs,
    the same if the loss was still falling when the rate went, and error is left. Or `ReduceLROnPlateau` lowers the
    rate because it is told a score, which rises, and waits for it to fall, or a loss the other way round.

    ## Why it matters
    A schedule that was written for epochs and is stepped for batches ends the learning after a few batches; the rest of
    the training moves nothing. The same comes of a plateau schedule that takes every better score for a worse one.

    ## What to try
    Call `scheduler.step()` once for each epoch, or give the schedule its length in steps. Give `ReduceLROnPlateau` the
    mode of what it is told: "max" for an accuracy.

    ## When it is wrong
    A schedule that is meant to end early, with a tail at a rate near zero.
    """
    rates = window.steps["lr"]
    known, steps = rates[~np.isnan(rates)], window.steps["step"][~np.isnan(rates)]
    stepped = sum("scheduler" in order for order in window.orders)
    if not stepped or len(known) < 10:
        raise Skip("no scheduler steps")
    turned = turned_about(window)
    if turned is not None or stepped < 0.8 * len(known):
        return turned or used_up(window, collapse, half)
    low = np.flatnonzero(known < collapse * known.max())
    turns = int(np.count_nonzero(np.diff(np.sign(np.diff(known))) != 0))
    waves = turns >= 3 and any(scheduler.kind == "CosineAnnealingLR" for scheduler in window.schedulers)
    falls = len(low) > 0 and steps[low[0]] < half * window.last_step and known[-1] <= known[low[0]]
    if not (waves or (falls and known.argmax() < low[0])):
        return None
    first = int(steps[low[0]]) if falls else 1
    title = (
        f"the learning rate fell from {known.max():.2g} to {known[-1]:.2g}; it is below {collapse:g} of it "
        f"since step {first} of {window.last_step}"
        if falls
        else f"the cosine schedule went up and down {turns // 2 + 1} times in {window.last_step} steps"
    )
    return window.finding(
        title,
        where=window.at(_stepped_at(window)),
        steps=(first, window.last_step, window.last_step - first + 1),
        confidence=0.9,
        learning_rate=known,
        scheduler_steps=stepped,
    )


def _stepped_at(window: Window) -> str | None:
    """Where the program steps it; where a trainer does all that in one call, how often is said beside the schedule."""
    called = window.line("scheduler")
    made = next((scheduler.line for scheduler in window.schedulers), None)
    return made or called if called == window.line("backward") else called
