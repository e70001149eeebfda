"""learning-rate-too-high: updates as large as the weights, and a loss that does not survive them."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.autopsy import faults
from stetho.checks.evidence.curve import Curve, is_adversarial, main_curve
from stetho.checks.evidence.outcome import ends_well
from stetho.checks.evidence.schedules import raised_at
from stetho.checks.evidence.sudden import data_jump, is_thrown_by_a_batch
from stetho.checks.evidence.weights import relative_updates, trained_weights
from stetho.checks.window import Window
from stetho.findings.finding import Finding

RUNAWAY = 100.0
SEARCHES_ITS_OWN_STEP = ("LBFGS", "Rprop")
THROWN = 5.0


@check(
    severity="error",
    explains=("divergence", "non-finite-value", "overflow", "loss-spike", "loss-plateau", "dead-relu",
              "saturated-activation", "exploding-gradient", "collapsed-output", "activation-scale", "stopped-early",
              "metric-not-following", "vanishing-gradient", "overfitting",
              "evaluation-at-chance", "too-small-model", "collapsed-attention",
              "frozen-parameter", "batch-norm-momentum", "initial-loss-off", "loss-scale-collapse",
              "labels-independent-of-inputs"),
)  # fmt: skip
def learning_rate_too_high(
    window: Window, *, large: float = 0.25, rise: float = 2.0, least: int = 10
) -> Finding | None:
    """The steps are too long for the weights.

    ## What it finds
    Updates of more than `large` times the weights in several steps, or far more in one or two, together with a loss
    that is no number at the end, climbs above `rise` times its start, rises before it falls a little, stays high and
    restless, or has not fallen after `least` steps. Where the run ends well all the same, only a loss that was thrown
    far up is a warning.

    ## Why it matters
    The slope of the loss is known only near the present weights. A step far beyond jumps over every valley, throws
    units into the dead range of their activation, and what was learnt is lost.

    ## What to try
    Divide the learning rate by 10, and again until the updates are near a thousandth of the weights. Add a warm-up.

    ## When it is wrong
    Optimizers that search for their own step length are left out, and so are long steps that begin with a batch which
    stands out from those before it, or which lifts the loss at once after a small step. Where several optimizers take
    turns, a loss that rises is only a note.
    """
    curve = main_curve(window)
    if curve.count < least:
        raise Skip(f"fewer than {least} losses were seen")
    if any(optimizer.kind in SEARCHES_ITS_OWN_STEP for optimizer in window.optimizers):
        raise Skip("the optimizer searches for its own step length")
    series = [one for p in trained_weights(window) if (one := relative_updates(window, p)) is not None and len(one)]
    if not series:
        raise Skip("no updates were measured")
    top, second, third = (
        float(np.median([np.sort(one.values)[-min(place, len(one)) :][0] for one in series])) for place in (1, 2, 3)
    )
    # One long step alone, as some optimizers take to begin with, does no harm, unless it is beyond all measure.
    peak = max(third, second / 3, top / 30)
    trouble = _trouble(curve, rise, is_deep=len(series) > 1)
    if not curve.ends_finite and any(str(fault.get("phase")).startswith("changed") for fault in faults(window)):
        # The program itself made the gradient so, however long the steps were.
        return None
    is_mended = curve.ends_finite and ends_well(window)
    if peak < large or trouble is None or (is_mended and not _is_thrown(curve)):
        return None
    steps = [float(one.steps[one.values >= large][0]) for one in series if (one.values >= large).any()]
    if not curve.ends_finite and data_jump(window, curve.first_bad) > 3:
        # Finite until a batch came that stands out: it is that batch which the loss could not take.
        return None
    if data_jump(window, int(min(steps))) > 3 or is_thrown_by_a_batch(curve.series, series):
        return None
    return window.finding(
        f"updates reach {top:.2g} times the weights, and the loss {trouble}",
        where=window.at(raised_at(window) or window.rate_line()),
        steps=(int(min(steps)), int(series[0].steps[-1]), len(steps)),
        severity="note" if is_adversarial(window) and curve.ends_finite else "warning" if is_mended else None,
        confidence=0.92 if top > 2 * large else 0.8,
        try_next=_advice(window, top),
        loss=curve.series.values,
        update_ratio=series[len(series) // 2].values,
        learning_rate=float(np.nanmax(np.append(window.steps["lr"], 0.0))),
    )


def _is_thrown(curve: Curve) -> bool:
    """Whether the loss was thrown so far up that what the run began with is lost, even if it comes down again."""
    return bool(curve.first > 0 and max(curve.highest, float(curve.values[:10].max())) > THROWN * curve.first)


def _trouble(curve: Curve, rise: float, *, is_deep: bool) -> str | None:
    if not curve.ends_finite:
        return f"is no number after step {int(curve.series.finite.steps[-1]) if len(curve.values) else 0}"
    # In a net, the first steps alone may kill all units; the loss is then back at a constant at once.
    highest = max(curve.highest, float(curve.values[:10].max())) if is_deep else curve.highest
    climbed = highest - curve.first
    if curve.first > 0 and climbed > (rise - 1) * curve.first:
        return f"climbs from {curve.first:.3g} to {highest:.3g}"
    if (curve.first - curve.end) / max(abs(curve.first), 1e-12) < 0.05:
        return f"does not fall: {curve.first:.3g} at the start, {curve.end:.3g} at the end"
    if is_deep and climbed > max(5 * curve.noise, 0.1 * abs(curve.first)) and curve.end > 0.5 * curve.first:
        return f"rises from {curve.first:.3g} to {highest:.3g} before it falls to {curve.end:.3g}"
    if is_deep and curve.end > 0.25 * curve.first and curve.noise > max(0.25 * curve.end, 0.1 * curve.first):
        return f"jumps up and down by {curve.noise:.2g} between steps, and ends at {curve.end:.3g}"
    return None


def _advice(window: Window, top: float) -> str:
    rates = window.steps["lr"][np.isfinite(window.steps["lr"])]
    if not len(rates) or rates.max() <= 0:
        return ""
    # Weights that have run away with the updates do not tell how much less would do.
    wanted = "a tenth, and again until the loss falls" if top > RUNAWAY else f"about {rates.max() * 1e-2 / top:.1g}"
    return f"Lower the learning rate from {rates.max():.3g} to {wanted}."
