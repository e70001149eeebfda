"""scheduler-before-optimizer: the learning rate changes before it was used."""

from stetho.checks.declare import Skip, check
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(severity="warning")
def scheduler_before_optimizer(window: Window, *, share: float = 0.5) -> Finding | None:
    """The scheduler steps before the optimizer.

    ## What it finds
    A scheduler that steps before the first step of the optimizer, or, in more than `share` of its steps, between the
    backward pass and the step.

    ## Why it matters
    The first value of the schedule is never used, and every change comes one step too early. With a warm-up or a large
    first value that can decide about the run.

    ## What to try
    Call `scheduler.step()` after `optimizer.step()`.

    ## When it is wrong
    When the first value of the schedule is meant to be skipped.
    """
    orders = window.orders
    stepped = [order for order in orders if "scheduler" in order]
    if not stepped:
        raise Skip("no scheduler steps")
    early = [order for order in stepped if _between(order)]
    at_first = "scheduler" in orders[0]
    if not at_first and len(early) < max(share * len(stepped), 1):
        return None
    count = max(len(early), int(at_first))
    return window.finding(
        f"the scheduler stepped before the optimizer {count} time{'s' if count > 1 else ''}, beginning with step 1"
        if at_first
        else f"the scheduler stepped between backward and step in {count} of {len(stepped)} steps",
        where=window.at(window.line("scheduler")),
        confidence=0.96,
    )


def _between(order: list[str]) -> bool:
    return "backward" in order and "scheduler" in order[len(order) - 1 - order[::-1].index("backward") :]
