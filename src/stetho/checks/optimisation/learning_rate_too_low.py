"""learning-rate-too-low: gradients agree on the way, and the weights hardly go it."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.curve import Curve, is_adversarial, main_curve
from stetho.checks.evidence.outcome import WELL, error_left
from stetho.checks.evidence.weights import path, trained_weights
from stetho.checks.mechanisms.warming import endless_warm_up
from stetho.checks.run.series import Array
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(
    severity="error",
    explains=("loss-plateau", "stopped-early", "too-small-model", "metric-not-following", "collapsed-output",
              "labels-independent-of-inputs", "class-imbalance"),
)  # fmt: skip
def learning_rate_too_low(
    window: Window, *, distance: float = 0.03, fall: float = 0.15, least: int = 30
) -> Finding | None:
    """The steps are so short that the weights stay where they were.

    ## What it finds
    All updates of the run together (after at `least` so many steps) move the weights by less than the share `distance`
    of their size, although gradients arrive, and the loss falls by less than the share `fall`; in long runs also up to
    three times that distance with a third of the fall, or where most of the error of a guess is left. Or a warm-up that
    is longer than the run, at the end of which the rate is still below a fifth of its aim.

    ## Why it matters
    Training would take hundreds of times longer than it should; it looks like a model that cannot learn.

    ## What to try
    Multiply the learning rate by 10, and again until the updates are near a thousandth of the weights.

    ## When it is wrong
    Fine-tuning of a model that is good already, and the first steps of a long warm-up; where the rate is still rising
    at the end, or weights were loaded, it is a note.
    """
    warming = endless_warm_up(window)
    if warming is not None:
        return warming
    curve = main_curve(window)
    if curve.count < least:
        raise Skip(f"fewer than {least} losses were seen")
    ways = {weight: one for weight in trained_weights(window) if np.isfinite(one := path(window, weight))}
    gradients = {weight: window.parameter_stat("grad.rms", weight) for weight in ways}
    pulled = [weight for weight in ways if (g := gradients[weight]) is not None and g.median() > 0]
    if not pulled:
        raise Skip("no gradients or updates were measured")
    moved, fallen = float(np.median([ways[weight] for weight in pulled])), abs(_fall(curve))
    is_far_off = moved < distance and fallen < fall
    is_slow = moved < 3 * distance and fallen < fall / 3 and curve.count >= 5 * least
    left = error_left(window)
    is_unlearnt = moved < 3 * distance and fallen < 0.3 and left is not None and left > 0.5
    is_short_way = is_far_off or is_slow or (is_unlearnt and curve.count >= 5 * least)
    if moved <= 0 or not curve.ends_finite or not is_short_way or (left is not None and left < WELL):
        return None
    rates = window.steps["lr"][np.isfinite(window.steps["lr"])]
    is_rising = len(rates) > 1 and rates[-1] > 1.05 * rates[0]
    can_wait = is_rising or is_adversarial(window) or bool(window.loads)
    per_step = moved / max(window.last_step, 1)
    return window.finding(
        f"{window.last_step} updates move the weights by {moved:.2g} of their size; the loss goes from "
        f"{curve.start:.4g} to {curve.end:.4g}{_decay(rates)}",
        where=window.at(_line(window, rates)),
        severity="note" if can_wait else None,
        confidence=0.9 if moved < distance / 5 else 0.75,
        try_next=_advice(rates, per_step),
        loss=curve.series.values,
        update_ratio=per_step,
        learning_rate=float(rates.max()) if len(rates) else float("nan"),
    )


def _fall(curve: Curve) -> float:
    """How far the loss fell; where batches differ so much that the first few are no level, over the fifths."""
    fifth = max(len(curve.values) // 5, 1)
    early, late = (float(np.median(part)) for part in (curve.values[:fifth], curve.values[-fifth:]))
    return curve.fall if abs(curve.start - early) > curve.noise else (early - late) / max(abs(early), 1e-12)


def _is_decayed(rates: Array) -> bool:
    """Whether the rate was nearly gone before half of the run was over."""
    return len(rates) > 1 and bool(rates[len(rates) // 2] < 0.01 * rates.max())


def _decay(rates: Array) -> str:
    return f"; the rate falls from {rates.max():.2g} to {rates[-1]:.2g}" if _is_decayed(rates) else ""


def _line(window: Window, rates: Array) -> str | None:
    schedules = [each.line for each in window.schedulers if each.line]
    if _is_decayed(rates) and schedules:
        return schedules[0]
    return window.rate_line()


def _advice(rates: Array, per_step: float) -> str:
    if not len(rates) or rates.max() <= 0:
        return ""
    if _is_decayed(rates):
        return "Lower the rate more slowly: it should reach a hundredth only near the end of the run."
    # The usual thousandth, but no jump of more than a million in one advice.
    return f"Raise the learning rate from {rates.max():.2g} to about {rates.max() * min(1e-3 / per_step, 1e6):.1g}."
