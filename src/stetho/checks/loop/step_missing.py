"""step-missing: there is an optimizer, and it never steps."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.symptoms import NOT_LEARNING
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(
    severity="error",
    explains=(*NOT_LEARNING, "exploding-gradient", "gradients-not-zeroed", "scheduler-before-optimizer"),
    needs_end=True,
)
def step_missing(window: Window, *, least: int = 5) -> Finding | None:
    """An optimizer was made and never steps.

    ## What it finds
    At `least` so many backward passes, an optimizer, and not one step of it.

    ## Why it matters
    Gradients are computed and thrown away: no parameter ever moves.

    ## What to try
    Call `optimizer.step()` after `backward()`.

    ## When it is wrong
    A program that makes an optimizer, does not use it, and updates its parameters by hand.
    """
    if not window.optimizers:
        raise Skip("the program has no optimizer")
    counts = window.steps["backwards"]
    backwards = int(counts[np.isfinite(counts)].sum())
    if any(event.startswith("step") for order in window.orders for event in order) or backwards < least:
        return None
    if _moves(window):
        return None
    return window.finding(
        f"{backwards} backward passes and no step of {window.optimizers[0].kind}",
        where=window.at(window.line("backward")),
        confidence=0.98,
        backward_passes=backwards,
    )


def _moves(window: Window) -> bool:
    """Whether parameters change all the same, by hand."""
    updates = (window.parameter_stat("update.absmax", parameter) for parameter in window.parameters)
    return any(series is not None and series.finite.values.any() for series in updates)
