"""loss-spike: the loss jumps, and what moved first."""

import numpy as np

from stetho.checks.curve import is_adversarial, main_curve
from stetho.checks.declare import Skip, check
from stetho.checks.series import Array, Series
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(severity="warning")
def loss_spike(
    window: Window, *, jump: float = 5.0, noise: float = 12.0, around: int = 15, least: int = 40
) -> Finding | None:
    """The loss jumps for a short time.

    ## What it finds
    A step whose loss is more than `jump` times the level of the `around` steps before it and above the start of the
    run, and further from it than `noise` times the usual noise; in a run of at `least` so many steps. It names the
    signal that moved first: the data, the update before, the gradient before, an activation, or only the loss.

    ## Why it matters
    A spike costs the steps until the loss is back, and often it never fully is.

    ## What to try
    Data: look at that batch. Update or gradient: clip, or lower the learning rate. Loss only: look at the targets.

    ## When it is wrong
    Small batches and rewards are noisy by nature: a spike that does not lift the gradient is a note.
    """
    curve = main_curve(window)
    if curve.count < least:
        raise Skip(f"fewer than {least} losses were seen")
    steps, values = curve.series.finite.steps, curve.values
    for place in range(around, len(values)):
        before = values[place - around : place]
        level, usual = float(np.median(before)), float(np.median(np.abs(before - np.median(before)))) + 1e-12
        height = values[place] - level
        if level <= 0 or values[place] < max(jump * level, curve.start) or height < noise * usual:
            continue
        step = int(steps[place])
        first = _first_signal(window, step)
        lifted = _jump(Series(window.steps["step"], window.steps["grad_norm"]), step, step)
        is_loud = lifted > 5 and not is_adversarial(window) and height > 2 * noise * usual
        return window.finding(
            f"the loss jumps from {level:.3g} to {values[place]:.3g} at step {step}; first to move: {first}",
            where=window.at(window.line("backward")),
            steps=(step, step, 1),
            severity=None if is_loud else "note",
            confidence=0.7,
            loss=values[max(place - 20, 0) : place + 20],
            first_signal=first,
            gradient_jump=lifted,
        )
    return None


def _first_signal(window: Window, step: int) -> str:
    passes = window.batches("train")
    if max(_jump(Series(passes["step"], passes[name]), step, step) for name in ("std", "max")) > 3:
        return "the input data"
    updates = {p.name: _jump(window.parameter_stat("update.rms", p), step - 1, step - 1) for p in window.parameters}
    if updates and max(updates.values()) > 3:
        return f"the update of {max(updates, key=lambda name: updates[name])} one step before"
    acts = [(layer.name, _jump(window.layer_stat("act.rms", layer), step, step)) for layer in window.forward_order]
    name = next((name for name, size in acts if size > 2), None)
    if name is not None and name == acts[0][0]:
        return f"the input, as the output of {name} shows"
    return f"the output of {name}" if name is not None else "the loss itself"


def _jump(series: Series | None, first: int, last: int) -> float:
    """By how much the value at some steps is above the level of the steps before; 1 when nothing is known."""
    if series is None:
        return 1.0
    now: Array = series.between(first, last).finite.values
    before: Array = series.between(max(first - 30, 0), first - 1).finite.values
    return float(now.max() / max(np.median(before), 1e-30)) if len(now) and len(before) >= 5 else 1.0
