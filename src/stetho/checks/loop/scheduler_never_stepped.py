"""scheduler-never-stepped: a schedule that is made and not used."""

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.symptoms import NOT_LEARNING, RUNNING_AWAY
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(severity="warning", explains=(*NOT_LEARNING, *RUNNING_AWAY), needs_end=True)
def scheduler_never_stepped(window: Window, *, least: int = 30, epochs: int = 2) -> Finding | None:
    """A scheduler was made and never steps.

    ## What it finds
    A learning rate scheduler without one `step()` in a run of at `least` so many steps and `epochs` epochs.

    ## Why it matters
    The learning rate stays at its first value: a warm-up never warms up, a decay never comes.

    ## What to try
    Call `scheduler.step()` after each epoch or each optimizer step, as the schedule is meant.

    ## When it is wrong
    A run that was stopped before the first step of its schedule.
    """
    idle = [scheduler for scheduler in window.schedulers if scheduler.steps == 0]
    if not window.schedulers:
        raise Skip("the program has no scheduler")
    # How often the validation data were gone through says nothing about epochs.
    trained_on = set(window.batches("train")["loader"])
    passes = [loader.passes for loader in window.loaders if loader.id in trained_on]
    if not idle or window.last_step < least or (passes and max(passes) < epochs):
        return None
    if any("scheduler" in order for order in window.orders):
        return None  # it steps inside of another one
    first = idle[0]
    rate = window.steps["lr"]
    return window.finding(
        f"{first.kind} was made and never stepped in {window.last_step} steps; the rate stayed {rate[-1]:.3g}",
        where=window.at(first.line),
        confidence=0.93,
    )
