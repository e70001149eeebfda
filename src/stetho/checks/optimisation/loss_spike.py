"""loss-spike: the loss jumps, and what moved first."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.curve import follows_itself, is_adversarial, main_curve
from stetho.checks.evidence.sudden import data_jump
from stetho.checks.evidence.sudden import jump as jump_of
from stetho.checks.run.series import Array, Series
from stetho.checks.window import Window
from stetho.findings.finding import Finding, Severity

ITSELF = "the loss itself"
BEFORE, TAIL = 200, 5.0
"""A loss below so many times what one of twenty steps exceeds, among so many before it, is of the tail of its noise."""
FEW = 0.25
"""A batch of less than this share of the usual samples, as the last of an epoch, is noisy in its own right."""


@check(severity="warning", explains=("divergence", "exploding-gradient", "metric-not-following", "activation-scale"))
def loss_spike(
    window: Window, *, jump: float = 5.0, noise: float = 12.0, around: int = 15, least: int = 40
) -> Finding | None:
    """The loss jumps for a short time.

    ## What it finds
    A step whose loss is more than `jump` times the level of the `around` steps before it and above the start of the
    run, and further from it than `noise` times the usual noise, while the step just before was calm; in a run of at
    `least` so many steps. A loss that grows from step to step is no spike but a divergence. It names the signal that
    moved first: the data, the update before, an activation, or only the loss.

    ## Why it matters
    A spike costs the steps until the loss is back, and often it never fully is.

    ## What to try
    Data: look at that batch. Update or gradient: clip, or lower the learning rate. Loss only: look at the targets.

    ## When it is wrong
    Small batches and rewards are noisy by nature: a spike that does not lift the gradient, or is gone in the next step
    and nothing else had moved before it, is a note; so is one in a training against targets of a copy that follows.
    It is nothing where the steps before it often are nearly as high, or where its batch is much smaller than others.
    """
    curve = main_curve(window)
    if curve.count < least:
        raise Skip(f"fewer than {least} losses were seen")
    steps, values = curve.series.finite.steps, curve.values
    for place in range(around, len(values)):
        before = values[place - around : place]
        level, usual = float(np.median(before)), float(np.median(np.abs(before - np.median(before)))) + 1e-12
        height = values[place] - level
        is_calm = values[place - 1] < level + max(level, 4 * usual)
        if level <= 0 or not is_calm or values[place] < max(jump * level, curve.start) or height < noise * usual:
            continue
        step = int(steps[place])
        first = _first_signal(window, step)
        lifted = jump_of(Series(window.steps["step"], window.steps["grad_norm"]), step, step)
        # A hard sample lifts the loss of its own batch and its gradient, and is forgotten in the next step.
        after = values[place + 1 : place + 5]
        lasts = len(after) == 4 and float(np.median(after)) > level + max(level, 4 * usual)
        # A loss that ends far below its start has forgotten the spike, as games of chance do.
        is_forgotten = curve.ends_finite and curve.end < 0.1 * curve.start
        is_loud = lifted > 5 and height > 2 * noise * usual and (lasts or first != ITSELF) and not is_forgotten
        is_loud &= not is_adversarial(window) and not follows_itself(window)
        if not is_loud and (_is_of_the_tail(values, place) or _is_of_few(window, step)):
            continue
        return window.finding(
            f"the loss jumps from {level:.3g} to {values[place]:.3g} at step {step}; first to move: {first}",
            where=window.at(window.line("backward")),
            steps=(step, step, 1),
            severity=_severity(is_loud=is_loud, is_final=not curve.ends_finite),
            confidence=0.7 if curve.ends_finite else 0.85,
            loss=values[max(place - 20, 0) : place + 20],
            first_signal=first,
            gradient_jump=lifted,
        )
    return None


def _is_of_the_tail(values: Array, place: int) -> bool:
    return bool(values[place] < TAIL * np.quantile(values[max(place - BEFORE, 0) : place], 0.95))


def _is_of_few(window: Window, step: int) -> bool:
    sizes = window.steps["batch_size"]
    here = sizes[window.steps["step"] == step]
    return len(here) == 1 and bool(here[0] < FEW * np.nanmedian(sizes))


def _severity(*, is_loud: bool, is_final: bool) -> Severity:
    """A spike after which the loss never was a number again is the end of the run."""
    if not is_loud:
        return "note"
    return "error" if is_final else "warning"


def _first_signal(window: Window, step: int) -> str:
    if data_jump(window, step) > 3:
        return "the data"
    updates = {p.name: jump_of(window.parameter_stat("update.rms", p), step - 1, step - 1) for p in window.parameters}
    if updates and max(updates.values()) > 3:
        return f"the update of {max(updates, key=lambda name: updates[name])} one step before"
    acts = [(layer.name, jump_of(window.layer_stat("act.rms", layer), step, step)) for layer in window.forward_order]
    name = next((name for name, size in acts if size > 2), None)
    if name is not None and name == acts[0][0]:
        return f"the input, as the output of {name} shows"
    return f"the output of {name}" if name is not None else ITSELF
