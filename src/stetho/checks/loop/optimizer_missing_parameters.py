"""optimizer-missing-parameters: the loss depends on parameters that no optimizer holds."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.curve import is_adversarial
from stetho.checks.evidence.outcome import error_left
from stetho.checks.evidence.reached import is_reached, reached_names
from stetho.checks.evidence.symptoms import NOT_LEARNING
from stetho.checks.mechanisms.given_up import given_up
from stetho.checks.run.facts import Optimizer, Parameter
from stetho.checks.window import Window
from stetho.findings.finding import Finding

AT_THE_END = 0.1
"""The share of a run in which a replaced layer is sure to be the new one."""


@check(severity="error", explains=(*NOT_LEARNING, "exploding-gradient", "gradients-not-zeroed", "initial-loss-off"))
def optimizer_missing_parameters(window: Window) -> Finding | None:
    """The optimizer does not hold parameters that the loss depends on.

    ## What it finds
    Trainable parameters that get a gradient from the loss and are in no parameter group of any optimizer: the
    optimizer was made before the model was changed or made anew, or was given only a part of it. Or two optimizers
    take turns with the same parameters, and those of another model are left to nobody. Or a second optimizer trains on
    with a head alone, the rest gets gradients that nobody applies any more, and the result is bad.

    ## Why it matters
    Gradients arrive and nobody applies them: that part of the model keeps its initial values for ever.

    ## What to try
    Make the optimizer after the model is complete, with `model.parameters()`; freeze what shall not be trained with
    `requires_grad_(False)`.

    ## When it is wrong
    A fixed network inside of the loss (a critic, a perceptual loss) whose parameters were left trainable. Such a
    network is left out as long as another model is held completely, unless the result is bad and nothing was loaded,
    or two optimizers that take turns hold the same.
    """
    if not window.optimizers:
        raise Skip("the program has no optimizer")
    reached = reached_names(window)
    if not reached:
        raise Skip("the graph of no loss was recorded")
    wanted = [p for p in window.parameters if p.trainable and is_reached(p, reached)]
    doubled = _held_twice(window)
    is_bad = (error_left(window) or 0.0) > 0.5 and not window.loads
    missing = [p for p in _unheld(wanted, is_bad=is_bad or doubled is not None) if not _is_moved(window, p)]
    if not missing:
        return given_up(window, wanted)
    held = [p for p in wanted if p.optimizer is not None]
    total, lost = sum(p.count for p in wanted), sum(p.count for p in missing)
    share = f"{lost:,} of {total:,} parameters that get a gradient are in no optimizer"
    first = missing[0]
    return window.finding(
        f"{share}: {first.name} and {len(missing) - 1} more" if len(missing) > 1 else f"{share}: {first.name}",
        where=window.at(doubled.line if doubled else _line(window, first), parameter=first),
        confidence=0.97 if not held else 0.95,
        missing_share=lost / max(total, 1),
        missing=", ".join(p.name for p in missing[:8]),
    )


def _held_twice(window: Window) -> Optimizer | None:
    """Of two optimizers that take turns with the same parameters, the later one: it was meant for others."""
    if not is_adversarial(window):
        return None
    used = set(np.unique(window.steps["optimizer"]))
    # A parameter is filed under the last optimizer that holds it.
    holders = {p.optimizer for p in window.parameters}
    stepping = [each for each in window.optimizers if each.id in used]
    if all(each.id in holders for each in stepping):
        return None
    return next((each for each in reversed(stepping) if each.id in holders), None)


def _line(window: Window, missing: Parameter) -> str | None:
    """Where the optimizer of the last steps is made, or the layer that it misses, if that comes after it."""
    used = window.steps["optimizer"]
    last = [each for each in window.optimizers if len(used) and each.id == used[-1]]
    optimizer = (last or window.optimizers)[0]
    return window.given(optimizer.line, f"after {missing.layer}")


def _is_moved(window: Window, parameter: Parameter) -> bool:
    """Whether the program itself applies the gradients, without an optimizer."""
    updates = window.parameter_stat("update.rms", parameter)
    if updates is None:
        return False
    namesakes = [
        p for p in window.parameters if p != parameter and (p.name, p.model) == (parameter.name, parameter.model)
    ]
    # A layer that was replaced was trained under the same name, and its optimizer may move it on by old gradients.
    # What only stands in for a parameter while a module is called has its shape.
    if any(p.optimizer is not None and p.shape != parameter.shape for p in namesakes):
        return False
    since = int((1 - AT_THE_END) * window.last_step) if namesakes else 0
    return bool((updates.between(since, window.last_step).finite.values > 0).any())


def _unheld(wanted: list[Parameter], *, is_bad: bool) -> list[Parameter]:
    """Parameters in no optimizer, without whole models beside one that is held completely, if all goes well so."""
    missing = [p for p in wanted if p.optimizer is None]
    if is_bad:
        return missing
    models = {p.model for p in wanted}
    complete = [m for m in models if all(p.optimizer is not None for p in wanted if p.model == m)]
    strangers = {m for m in models if all(p.optimizer is None for p in wanted if p.model == m)} if complete else set()
    return [p for p in missing if p.model not in strangers]
