"""optimizer-made-anew: an optimizer that is built again for every step, and forgets what it knew."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.symptoms import NOT_LEARNING, RUNNING_AWAY
from stetho.checks.run.facts import Optimizer
from stetho.checks.window import Window
from stetho.findings.finding import Finding

STATELESS = ("LBFGS",)
"""Optimizers that do all their work inside of one step."""


@check(severity="warning", explains=(*NOT_LEARNING, *RUNNING_AWAY))
def optimizer_made_anew(window: Window, *, least: int = 10, share: float = 0.4) -> Finding | None:
    """The optimizer is made anew in every step.

    ## What it finds
    An optimizer with momentum or averages of gradients that the same line builds again, of the same parameters, at
    `least` so many times and in more than the share `share` of its steps.

    ## Why it matters
    Momentum and averages begin at nothing each time. SGD with momentum is then SGD without it, ten or twenty times
    slower; Adam moves every weight by the whole learning rate, whatever its gradient, and never comes to rest.

    ## What to try
    Build the optimizer once, after the model and before the loop.

    ## When it is wrong
    An optimizer without a memory, such as SGD without momentum, may be built as often as one likes, and is left out.
    """
    found = [each for each in window.optimizers if _memory(each) is not None]
    if not found:
        raise Skip("no optimizer with a memory")
    if not window.count:
        raise Skip("no steps were recorded")
    for optimizer in found:
        steps = _steps(window, optimizer)
        if optimizer.remade >= least and optimizer.remade > share * steps:
            return window.finding(
                f"{optimizer.kind} was made anew {optimizer.remade} times in {steps} steps: its {_memory(optimizer)} "
                "begins at nothing each time",
                where=window.at(optimizer.line),
                confidence=0.93,
                remade=float(optimizer.remade),
                steps_of_it=float(steps),
            )
    return None


def _memory(optimizer: Optimizer) -> str | None:
    """What an optimizer keeps from step to step."""
    if optimizer.kind in STATELESS:
        return None
    momentum = optimizer.number("momentum")
    if momentum:
        return f"momentum of {momentum:g}"
    settings = optimizer.groups[0].settings if optimizer.groups else {}
    return "average of the gradients" if {"betas", "alpha", "rho", "lr_decay"} & set(settings) else None


def _steps(window: Window, optimizer: Optimizer) -> int:
    """How many steps of the run were those of an optimizer; of those that nobody looked at, its share."""
    which = np.asarray(window.steps["optimizer"], dtype=float)
    return max(round(float(np.mean(which == optimizer.id)) * int(window.steps["step"][-1])), 1)
