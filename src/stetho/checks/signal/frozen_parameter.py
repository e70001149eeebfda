"""frozen-parameter: parameters that get a gradient and do not move."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.mechanisms.untrained import untrained_part
from stetho.checks.run.facts import Parameter
from stetho.checks.window import Window
from stetho.findings.finding import Finding, Where


@check(severity="warning", explains=("loss-plateau", "too-small-model", "stopped-early", "metric-not-following"))
def frozen_parameter(window: Window, *, least: int = 10, most: float = 0.5) -> Finding | None:
    """Parameters that stay exactly as they are.

    ## What it finds
    Trainable parameters in an optimizer whose update is exactly zero in all of at `least` so many steps: their
    group has the learning rate 0, their gradient is always zero, or the step is too small for their number format.
    An error when they are more than the share `most` of the model. Or weights of a trained model that need no gradient
    and are as they were made by chance, where much of the error of a guess is left (of tables of vectors: most).

    ## Why it matters
    A part of the model keeps its random start, and the rest has to work around it.

    ## What to try
    Look at the learning rate of the group, at hooks and masks on the gradient, and at what the layer computes.

    ## When it is wrong
    A group that is kept at learning rate 0 on purpose; `requires_grad_(False)` says that more clearly. Random features
    on purpose.
    """
    untouched = untrained_part(window)
    if untouched is not None:
        return untouched
    measured = [
        p for p in window.parameters if p.trainable and p.optimizer is not None and _updates(window, p) >= least
    ]
    if not measured:
        raise Skip(f"no parameter was measured in {least} updates")
    if np.nanmean(np.append(window.steps["skipped"], 0.0)) > 0.5:
        raise Skip("most steps are skipped by the gradient scaler")
    frozen = [p for p in measured if _is_still(window, p)]
    if not frozen:
        return None
    share = sum(p.count for p in frozen) / max(sum(p.count for p in measured), 1)
    biggest = max(frozen, key=lambda p: p.count)
    return window.finding(
        f"{len(frozen)} of {len(measured)} parameters never change: {biggest.name} {_reason(window, biggest)}",
        where=_place(window, biggest),
        severity="error" if share > most else "warning" if len(biggest.shape) > 1 else "note",
        confidence=0.9 if _rate(window, biggest) == 0 else 0.8,
        share=share,
        parameters=", ".join(p.name for p in frozen[:8]),
    )


def _updates(window: Window, parameter: Parameter) -> int:
    series = window.parameter_stat("update.absmax", parameter)
    return len(series) if series is not None else 0


def _is_still(window: Window, parameter: Parameter) -> bool:
    update, gradient = (window.parameter_stat(stat, parameter) for stat in ("update.absmax", "grad.rms"))
    # A parameter without any gradient is not connected, which is another finding.
    return update is not None and gradient is not None and len(gradient) > 0 and bool((update.values == 0).all())


def _rate(window: Window, parameter: Parameter) -> float | None:
    for optimizer in window.optimizers:
        if optimizer.id == parameter.optimizer and (parameter.group or 0) < len(optimizer.groups):
            return optimizer.groups[parameter.group or 0].number("lr")
    return None


def _reason(window: Window, parameter: Parameter) -> str:
    if _rate(window, parameter) == 0:
        return "has the learning rate 0"
    gradient = window.parameter_stat("grad.absmax", parameter)
    if gradient is not None and (gradient.values == 0).all():
        return "gets a gradient of exactly zero"
    return f"gets a gradient, but the step is lost in {parameter.dtype}"


def _place(window: Window, parameter: Parameter) -> Where:
    is_group = _rate(window, parameter) == 0 and parameter.optimizer is not None
    line = window.given(window.optimizers[parameter.optimizer or 0].line, "lr") if is_group else None
    return window.at(line, parameter=parameter)
