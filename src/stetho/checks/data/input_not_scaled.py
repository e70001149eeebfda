"""input-not-scaled: inputs far from zero mean and unit deviation go straight into the first layer."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.inputs import content_line, feature_moments, overall, reads_inputs_raw, trained_inputs
from stetho.checks.run.table import Table
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(
    severity="warning",
    explains=("dead-relu", "exploding-gradient", "loss-plateau", "learning-rate-too-high", "initial-loss-off",
              "divergence", "overflow", "saturated-activation", "activation-scale", "vanishing-gradient",
              "loss-spike", "badly-scaled-init", "learning-rate-too-low", "stopped-early", "collapsed-output",
              "metric-not-following", "too-small-model", "frozen-parameter", "overfitting", "class-imbalance",
              "summed-loss"),
)  # fmt: skip
def input_not_scaled(
    window: Window, *, large: float = 20.0, small: float = 3e-3, note: float = 8.0, offset: float = 20.0
) -> Finding | None:
    """Inputs that are not scaled.

    ## What it finds
    The input of a model, taken over all its features, has a root mean square above `large` (raw 0 to 255, say) or below
    `small` (scaled twice), or a mean more than `offset` deviations from 0, and its first layer has weights and no
    normalisation. Above `note` it is a note.

    ## Why it matters
    Initialisation and learning rates are made for inputs of about unit size. A hundred times larger inputs give a
    hundred times larger activations and gradients: units saturate or die in the first steps.

    ## What to try
    Subtract the mean and divide by the deviation of the training data, or begin the model with a normalisation layer.

    ## When it is wrong
    A first layer that was initialised for such inputs. Token ids and models that scale inside are left out.
    """
    judged = 0
    for model, rows in trained_inputs(window):
        judged += 1
        mean, deviation = overall(rows)
        rms = float(np.hypot(mean, deviation))
        typical = _typical(rows, rms)
        is_offset = abs(mean) > offset * max(deviation, 1e-30) and rms > 3 and _each_is_offset(rows, offset)
        if not (typical > note or 0 < rms < small or is_offset) or not reads_inputs_raw(window, model.id, rms):
            continue
        low, high = float(rows["min"].min()), float(rows["max"].max())
        alarm = typical > large or rms < small or is_offset
        return window.finding(
            f"inputs go from {low:.3g} to {high:.3g}, with mean {mean:.3g} and deviation {deviation:.3g}, "
            "straight into the first layer",
            where=window.at(content_line(window, model.id)),
            severity="warning" if alarm else "note",
            confidence=0.93 if typical > 3 * large or rms < small / 3 else 0.85,
            mean=mean,
            std=deviation,
            low=low,
            high=high,
        )
    if not judged:
        raise Skip("no model is given floating point numbers")
    return None


def _typical(rows: Table, rms: float) -> float:
    """The size of the middle feature: a single large one is another matter."""
    means, deviations = feature_moments(rows)
    return float(np.median(np.hypot(means, deviations))) if len(means) > 4 else rms


def _each_is_offset(rows: Table, offset: float) -> bool:
    means, deviations = feature_moments(rows)
    return not len(means) or bool(np.median(np.abs(means) / np.maximum(deviations, 1e-30)) > offset)
