"""excessive-weight-decay: the pull to zero is stronger than the pull of the loss."""

import numpy as np
from numpy.typing import NDArray

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.curve import main_curve
from stetho.checks.evidence.weights import trained_weights
from stetho.checks.mechanisms.penalised import penalised
from stetho.checks.run.facts import Group, Parameter
from stetho.checks.window import Window
from stetho.findings.finding import Finding

DECOUPLED = ("AdamW", "SGDW", "Lion", "Adafactor", "NAdamW", "Muon")


@check(
    severity="error",
    explains=("loss-plateau", "collapsed-output", "too-small-model", "vanishing-gradient", "dead-relu",
              "metric-not-following", "stopped-early", "learning-rate-too-low", "learning-rate-too-high",
              "divergence", "overflow", "odd-momentum"),
)  # fmt: skip
def excessive_weight_decay(
    window: Window, *, share: float = 0.3, shrunk: float = 0.6, learnt: float = 0.7
) -> Finding | None:
    """Weight decay drowns the gradient.

    ## What it finds
    In the first half of the run, decay makes up more than the share `share` of what moves most weights, they end
    below `shrunk` times the size they began with, and the loss has fallen by less than the share `learnt`. Or
    weights that fall below a twentieth of their size without decay: then a penalty in the loss pulls them.

    ## Why it matters
    Weights that are drawn to zero faster than the loss can pull them out end at zero: the model forgets its input.

    ## What to try
    Lower `weight_decay` by a factor of 100; usual values are 1e-4 to 1e-2 (AdamW: up to 0.1).

    ## When it is wrong
    A model that has learnt all there is has small gradients, and decay is then all that is left; that comes late in
    the run and with a low loss, and is left out.
    """
    # Decay pulls at every row of an embedding in every step, whether the batch asks for it or not.
    weights = [weight for weight in trained_weights(window, tables=True) if _decay(window, weight) > 0]
    if not weights:
        return penalised(window)
    shares = {weight: one for weight in weights if np.isfinite(one := _share_of_decay(window, weight))}
    curve = main_curve(window)
    if not shares or curve.count < 10:
        raise Skip("gradients or losses were not measured")
    # The heads that are left grow to make up for it: what counts is where most values go.
    shrinking = _shrinking(window, list(shares))
    strength = float(np.average(list(shares.values()), weights=[weight.count for weight in shares]))
    if strength < share or shrinking > shrunk or curve.fall > learnt:
        return None
    weight = max(shares, key=lambda each: shares[each])
    return window.finding(
        f"weight decay {_decay(window, weight):.3g} makes up {strength:.0%} of the updates; weights shrink to "
        f"{shrinking:.1%} of their size",
        where=window.at(_written(window, weight), parameter=weight),
        confidence=0.95 if shrinking < shrunk / 3 else 0.85,
        share_of_decay=strength,
        weight_decay=_decay(window, weight),
        weight_size=window.parameter_stat("param.rms", weight).values,  # type: ignore[union-attr]  # it has a share
        loss=curve.series.values,
    )


def _shrinking(window: Window, weights: list[Parameter]) -> float:
    """The size of all weights together at the end, against the beginning."""
    sizes = [(weight.count, window.parameter_stat("param.rms", weight)) for weight in weights]
    ends = [(count * one.first**2, count * one.last**2) for count, one in sizes if one is not None and one.first > 0]
    first, last = np.sum(ends, axis=0) if ends else (1.0, 1.0)
    return float(np.sqrt(last / first))


def _group(window: Window, weight: Parameter) -> Group | None:
    for optimizer in window.optimizers:
        if optimizer.id == weight.optimizer and weight.group is not None and weight.group < len(optimizer.groups):
            return optimizer.groups[weight.group]
    return None


def _decay(window: Window, weight: Parameter) -> float:
    group = _group(window, weight)
    return (group.number("weight_decay") or 0.0) if group is not None else 0.0


def _is_decoupled(window: Window, weight: Parameter) -> bool:
    group = _group(window, weight)
    kind = next((each.kind for each in window.optimizers if each.id == weight.optimizer), None)
    return kind in DECOUPLED or (group is not None and group.settings.get("decoupled_weight_decay") is True)


def _share_of_decay(window: Window, weight: Parameter) -> float:
    """Decay over decay and gradient together, in the first half; decoupled decay is compared with the update."""
    size, gradient, update = (window.parameter_stat(f"{role}.rms", weight) for role in ("param", "grad", "update"))
    if size is None or gradient is None or update is None:
        return float("nan")
    half = len(size) - len(size) // 2
    decay = _decay(window, weight) * size.values[:half]
    if not _is_decoupled(window, weight):
        return _median(decay / np.maximum(decay + gradient.values[:half], 1e-30))
    rates = np.interp(size.steps, window.steps["step"], np.nan_to_num(window.steps["lr"]))[:half]
    # The size of the weight falls by the rate times the decay in each step, whatever the gradient says.
    return _median(np.minimum(rates * decay / np.maximum(update.values[:half], 1e-30), 1.0))


def _median(shares: NDArray[np.float64]) -> float:
    """NaN where no share is known, as from the first step on of a training that is lost at once."""
    known = shares[~np.isnan(shares)]
    return float(np.median(known)) if known.size else float("nan")


def _written(window: Window, weight: Parameter) -> str | None:
    return window.given(window.optimizers[weight.optimizer or 0].line, "weight_decay")
