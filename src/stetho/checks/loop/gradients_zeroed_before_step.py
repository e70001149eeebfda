"""gradients-zeroed-before-step: the update finds no gradients."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.symptoms import NOT_LEARNING
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(severity="error", explains=(*NOT_LEARNING, "graph-cut"))
def gradients_zeroed_before_step(window: Window, *, share: float = 0.9, least: int = 5) -> Finding | None:
    """Gradients are set to zero between backward and step.

    ## What it finds
    In more than `share` of the steps (at `least` so many), `zero_grad` comes after the last backward pass and before
    the step, and the step then finds no gradient or zeros. Or, whichever way the program sets them to zero, the step
    finds nothing while the backward pass did bring gradients to the outputs of the layers.

    ## Why it matters
    The optimizer has nothing to apply: the parameters do not move, or only by momentum and weight decay.

    ## What to try
    Move `zero_grad()` before `backward()`, or behind `step()`.

    ## When it is wrong
    It needs both the order and the missing gradients, so it is hardly ever wrong.
    """
    rows = [index for index, order in enumerate(window.orders) if "step" in order and "backward" in order]
    if len(rows) < least:
        raise Skip(f"{len(rows)} steps with a backward pass, {least} are needed")
    zeroed = [index for index in rows if _zeroed_last(window.orders[index])]
    if len(zeroed) < share * len(rows):
        return _by_hand(window, rows, least)
    norms = window.steps["grad_norm"][zeroed]
    tiers = window.steps["tier"][zeroed]
    measured = tiers != "clock"
    empty = (np.isnan(norms) | (norms == 0)) & measured
    if not measured.any() or empty.sum() < share * measured.sum():
        return None
    steps = window.steps["step"][zeroed]
    return window.finding(
        f"zero_grad came between backward and step in {len(zeroed)} of {len(rows)} steps, and no gradient was left",
        where=window.at(_between(window) or window.line("zero_grad")),
        steps=(steps[0], steps[-1], len(steps)),
        confidence=0.98,
    )


def _by_hand(window: Window, rows: list[int], least: int) -> Finding | None:
    """Gradients that came to every layer with parameters, none of which is there at any step."""
    norms = window.steps["grad_norm"][rows][window.steps["tier"][rows] != "clock"]
    if len(norms) < least or (np.nan_to_num(norms) != 0).any():
        return None
    held = [p for p in window.parameters if p.trainable and p.optimizer is not None]
    left = [window.parameter_stat("grad.rms", parameter) for parameter in held]
    # A gradient that is no number is there.
    if any(one is not None and not (one.values == 0).all() for one in left):
        return None
    owners = {(parameter.layer, parameter.model) for parameter in held}
    series = [
        window.layer_stat("act_grad.rms", layer) for layer in window.layers if (layer.name, layer.model) in owners
    ]
    came = [one.finite.values for one in series if one is not None and len(one.finite) >= least]
    if not came or not all((values > 1e-12).all() for values in came):
        return None
    return window.finding(
        f"backward brought gradients to {len(came)} layers, and at none of {len(norms)} steps was one left",
        where=window.at(_between(window) or window.line("backward")),
        confidence=0.95,
        act_grad_rms=came[-1][:64],
    )


def _between(window: Window) -> str | None:
    """The line that sets gradients to zero behind `backward`, if the text of the program tells it."""
    backward = window.line("backward")
    line = window.given(backward, "emptied")
    return line if line != backward else None


def _zeroed_last(order: list[str]) -> bool:
    last = len(order) - 1 - order[::-1].index("backward")
    return "zero_grad" in order[last:]
