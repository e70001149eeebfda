"""gradients-not-zeroed: every step adds to the gradients of the steps before it."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.symptoms import NOT_LEARNING, RUNNING_AWAY
from stetho.checks.mechanisms.leftover import leftover
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(severity="error", explains=(*RUNNING_AWAY, *NOT_LEARNING, "odd-momentum"))
def gradients_not_zeroed(window: Window, *, share: float = 0.9, least: int = 5) -> Finding | None:
    """Gradients are never set to zero between steps.

    ## What it finds
    When a backward pass begins, the gradients of the last step are still there, in more than `share` of the steps (at
    `least` so many were looked at). It does not matter how the program sets them to zero; what counts is what is there.
    Of two optimizers that take turns, also those that the loss of the other side left, where they pull against its own.

    ## Why it matters
    `backward` adds to what it finds. Without zeroing, each step moves along the sum of all gradients so far: the steps
    grow, point to where old weights should have gone, and the loss oscillates or diverges.

    ## What to try
    Call `optimizer.zero_grad()` once for each step, before `backward`.

    ## When it is wrong
    A program that wants the sum of all gradients since the start. Accumulation over several passes of one step is not
    found: it ends with a zeroing.
    """
    stale = window.steps["stale_grad"]
    known = ~np.isnan(stale)
    if known.sum() < least:
        raise Skip(f"gradients were looked at before {int(known.sum())} backward passes, {least} are needed")
    # Of several optimizers each has gradients of its own, and one may be forgotten.
    numbers = window.steps["optimizer"]
    own = [known & (numbers == number) for number in np.unique(numbers[known & np.isfinite(numbers)])] or [known]
    shares = [stale[rows].mean() if rows.sum() >= least else 0.0 for rows in own]
    found, known = max(shares), own[int(np.argmax(shares))]
    if found < share:
        return leftover(window)
    number = float(numbers[known][0])
    whose = _whose(window, number)
    norms = window.steps["grad_norm"][known & np.isfinite(window.steps["grad_norm"])]
    return window.finding(
        f"gradients of the step before were still there in {found:.0%} of {known.sum()} steps{whose}",
        where=window.at(window.given(_backward(window, number), "zeroed") or window.line("step")),
        confidence=0.97,
        stale_share=found,
        grad_norm=norms,
    )


def _backward(window: Window, number: float) -> str | None:
    """The backward pass of an optimizer: of two that take turns, the first to step has the first, the other the last.

    One side may have several, as a discriminator that looks at real and at generated samples apart.
    """
    lines, numbers = window.lines.get("backward", ()), window.steps["optimizer"]
    turns = list(dict.fromkeys(numbers[np.isfinite(numbers)].tolist()))
    return lines[-1] if lines and len(turns) == 2 and number == turns[-1] else window.line("backward")


def _whose(window: Window, number: float) -> str:
    """Of several optimizers, the model that the forgotten one trains."""
    held = {p.model for p in window.parameters if p.optimizer == number}
    names = [each.label for each in window.models if each.id in held]
    return f" of the optimizer of {names[0]}" if len(window.optimizers) > 1 and len(names) == 1 else ""
