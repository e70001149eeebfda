"""step-missing: there is an optimizer, and it never steps, or hardly ever."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.reached import is_reached, reached_names
from stetho.checks.evidence.symptoms import NOT_LEARNING
from stetho.checks.mechanisms.wasted import wasted_passes
from stetho.checks.run.facts import Parameter
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(
    severity="error",
    explains=(*NOT_LEARNING, "exploding-gradient", "gradients-not-zeroed", "scheduler-before-optimizer"),
    needs_end=True,
)
def step_missing(window: Window, *, least: int = 5, lost: float = 0.7) -> Finding | None:
    """An optimizer that never steps, or hardly ever.

    ## What it finds
    At `least` so many backward passes, an optimizer, and not one step of it. Of several optimizers, one that never
    steps while the loss depends on its parameters, which no other optimizer holds. Or steps that come so rarely that
    more than the share `lost` of the backward passes have their gradients set to zero before any of them, while the
    result is bad.

    ## Why it matters
    Gradients are computed and thrown away: no parameter ever moves.

    ## What to try
    Call `optimizer.step()` after each `backward()`, outside of any branch for logging.

    ## When it is wrong
    A program that makes an optimizer, does not use it, and updates its parameters by hand.
    """
    if not window.optimizers:
        raise Skip("the program has no optimizer")
    counts = window.steps["backwards"]
    backwards = int(counts[np.isfinite(counts)].sum())
    if backwards < least:
        return None
    rare = wasted_passes(window, backwards, lost)
    if rare is not None:
        return rare
    if any(event.startswith("step") for order in window.orders for event in order):
        return _one_of_several(window, backwards)
    if _moves(window):
        return None
    return window.finding(
        f"{backwards} backward passes and no step of {window.optimizers[0].kind}",
        where=window.at(window.given(window.line("backward"), "condition")),
        confidence=0.98,
        backward_passes=backwards,
    )


def _one_of_several(window: Window, backwards: int) -> Finding | None:
    """An optimizer that is left out while others step."""
    numbers = window.steps["optimizer"]
    stepping = {int(number) for number in numbers[np.isfinite(numbers)]}
    if any("step(skipped)" in order for order in window.orders):
        return None
    for optimizer in window.optimizers:
        own = [p for p in window.parameters if p.optimizer == optimizer.id and p.trainable]
        if optimizer.id in stepping or not own or not all(_is_left_alone(window, p) for p in own):
            continue
        return window.finding(
            f"{backwards} backward passes and no step of one of {len(window.optimizers)} optimizers "
            f"({optimizer.kind}, {len(own)} parameters)",
            where=window.at(window.line("backward")),
            confidence=0.93,
            backward_passes=backwards,
            made_at=optimizer.line or "",
        )
    return None


def _is_left_alone(window: Window, parameter: Parameter) -> bool:
    """Whether the loss depends on a parameter that was never seen in an update."""
    return is_reached(parameter, reached_names(window)) and window.parameter_stat("update.absmax", parameter) is None


def _moves(window: Window) -> bool:
    """Whether parameters change all the same, by hand."""
    updates = (window.parameter_stat("update.absmax", parameter) for parameter in window.parameters)
    return any(series is not None and series.finite.values.any() for series in updates)
