"""parameters-reset: parameters jump between two steps, further than any update moved them."""

from collections import Counter

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.experiments import experiment
from stetho.checks.evidence.symptoms import NOT_LEARNING
from stetho.checks.mechanisms.begun_again import begins_a_training, ends_a_trial_of_rates, losing
from stetho.checks.mechanisms.set_anew import moved_by_others, set_anew
from stetho.checks.run.facts import Parameter
from stetho.checks.window import Window
from stetho.findings.finding import Finding

USUALLY = 0.5


@check(severity="error", explains=(*NOT_LEARNING, "divergence", "overflow", "learning-rate-too-high", "loss-spike"))
def parameters_reset(window: Window, *, share: float = 0.5, jump: float = 3.0) -> Finding | None:
    """Parameters are initialised or replaced again during training.

    ## What it finds
    Steps between which more than the share `share` of the parameters changed by more than `jump` times what the
    update between them can explain: their extremes moved further than its largest element. Or a call of the model
    sets parameters to values that have nothing to do with what they were, as a copy of it showed. Or most parameters
    are not what their last update made of them in most steps, the loop initialises, and the loss stays where it began.

    ## Why it matters
    What was learnt so far is thrown away, again and again if it happens in each epoch.

    ## What to try
    Look for a model, a layer or an initialisation that is made inside of the training loop.

    ## When it is wrong
    Weights that are exchanged on purpose: restored from a checkpoint, averaged, or constrained after each step.
    Changes in most steps are left out; in programs that load weights, all those that do not lose what was learnt, and
    the few that seem to where most do not. So is what comes between a training that has come to its end and another
    with an optimizer of its own, as when a network is pruned, or when folds are trained one after the other, and the
    return to the start after rates were tried one after the other.
    """
    redrawn = _in_forward(window) or set_anew(window)
    if redrawn is not None:
        return redrawn
    jumps: dict[int | None, Counter[int]] = {None: Counter()}
    looked: Counter[int | None] = Counter()
    for parameter in window.parameters:
        found = _jumps(window, parameter, jump)
        if found is not None:
            # Of each model by itself, as folds have one after the other; and of all, as bare weights may have no model.
            for group in (None, parameter.model):
                looked[group] += 1
                jumps.setdefault(group, Counter()).update(found)
    if looked[None] < 2:
        raise Skip("parameters were not measured in steps that follow each other")
    losses = window.loss_series()
    lost = losses.steps[~np.isfinite(losses.values)]
    # What becomes of weights after the loss is no number is no initialisation.
    end = int(lost[0]) if len(lost) else np.inf
    steps = sorted({step for group, counts in jumps.items() for step, count in counts.items()
                    if count >= max(share * looked[group], 2) and step < end})  # fmt: skip
    loaded = window.line("load_state_dict")
    if loaded is not None:
        steps = losing(window, steps)
    steps = [each for each in steps if not (begins_a_training(window, each) or ends_a_trial_of_rates(window, each))]
    if not steps or len(steps) > 0.2 * window.count:
        return None
    # Weights are loaded at several lines; to blame is the one that was called just before the jump.
    loaded = next((load.line for load in window.loads if load.step is not None and load.step + 1 in steps), loaded)
    return window.finding(
        f"{jumps[None][steps[0]]} of {looked[None]} parameters jumped before step {steps[0]}"
        + (f" and {len(steps) - 1} more steps" if len(steps) > 1 else ""),
        where=window.at(loaded or window.line("reset") or (window.models[0].line if window.models else None)),
        steps=(steps[0], steps[-1], len(steps)),
        confidence=0.93,
        jumps_at=[float(step) for step in steps[:64]],
    )


def _in_forward(window: Window) -> Finding | None:
    """Parameters that every call of the model sets anew."""
    held = {parameter.name: parameter for parameter in window.parameters if parameter.optimizer is not None}
    tried = experiment(window)
    names = [name for name in tried.redrawn if name in held]
    if not names:
        return None
    return window.finding(
        f"each call of the model sets {len(names)} trained parameters anew ({', '.join(names[:3])}): "
        "what they learnt is lost",
        where=window.at(tried.redrawn_at, parameter=held[names[0]]),
        confidence=0.96,
        try_next="Initialise parameters once, in `__init__`, and not in `forward`.",
        parameters=", ".join(names[:6]),
    )


def _jumps(window: Window, parameter: Parameter, factor: float) -> list[int] | None:
    """Steps before which a parameter moved further than its last update, unless others move it most of the time."""
    series = [
        window.parameter_stat(stat, parameter) for stat in ("param.min", "param.max", "update.absmax", "param.rms")
    ]
    if any(one is None or len(one) < 3 for one in series):
        return None
    low, high, update, rms = (one.values for one in series if one is not None)
    steps = series[0].steps if series[0] is not None else np.array([])
    if not (len(low) == len(high) == len(update) == len(rms) == len(steps)):
        return None
    if (moved_by_others(window, parameter) or 0.0) > USUALLY:
        # Noise that a sampler adds, or a constraint: of what comes after every step, some is large.
        return []
    following = np.diff(steps) == 1
    moved = np.maximum(np.abs(np.diff(low)), np.abs(np.diff(high)))
    far = following & (moved > factor * update[:-1] + 1e-6) & (moved > 0.05 * rms[:-1])
    return [int(step) for step in steps[1:][far]]
