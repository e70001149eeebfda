"""features-of-different-scale: a few large features drown all others."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.inputs import content_line, feature_moments, reads_inputs_raw, trained_inputs
from stetho.checks.evidence.outcome import error_left
from stetho.checks.run.series import Array
from stetho.checks.window import Window
from stetho.findings.finding import Finding

WIDEST_TABLE = 64
"""With more columns, pixels and counts of words are more likely than measures of different units."""
MUCH = 0.25


@check(
    severity="warning",
    explains=("dead-relu", "exploding-gradient", "loss-plateau", "learning-rate-too-high", "initial-loss-off",
              "divergence", "overflow", "saturated-activation", "activation-scale", "vanishing-gradient",
              "loss-spike", "badly-scaled-init", "learning-rate-too-low", "stopped-early", "collapsed-output",
              "metric-not-following", "too-small-model", "frozen-parameter", "input-not-scaled", "overfitting",
              "class-imbalance", "summed-loss"),
)  # fmt: skip
def features_of_different_scale(
    window: Window, *, ratio: float = 100.0, large: float = 20.0, share: float = 0.25
) -> Finding | None:
    """Features of wildly different scale.

    ## What it finds
    Of the features of an input, the largest is more than `ratio` times as large in deviation as at least the `share` of
    them, and above `large` in size, and the first layer has weights and no normalisation. Constant features do not
    count. In a table that was scaled as a whole the largest need not be large: there most of the features must be
    drowned, and much of the error of a guess be left.

    ## Why it matters
    The large feature decides the activations, whatever it means; the gradient is steep along it and flat along all
    others, so that no learning rate fits.

    ## What to try
    Standardise each column by itself: subtract its mean and divide by its deviation, both from the training data.

    ## When it is wrong
    Columns whose size is their importance.
    """
    judged = 0
    for model, rows in trained_inputs(window):
        means, deviations = feature_moments(rows)
        varying = deviations > 1e-6 * np.maximum(np.abs(means), 1e-12)
        if varying.sum() < 2:
            continue
        judged += 1
        sizes = np.hypot(means, deviations)
        spread = float(deviations[varying].max() / deviations[varying].min())
        rms = float(np.sqrt((sizes**2).mean()))
        # In raw pictures nearly all columns are large, and a few at the border hardly vary: that is another matter.
        drowned = float((deviations[varying] < deviations[varying].max() / ratio).mean())
        is_large = sizes[varying].max() >= large or _is_scaled_as_a_whole(window, varying, drowned)
        if drowned < share or not is_large or not reads_inputs_raw(window, model.id, rms):
            continue
        largest, smallest = (int(np.flatnonzero(varying)[pick(deviations[varying])]) for pick in (np.argmax, np.argmin))
        return window.finding(
            f"feature {largest} has deviation {deviations[largest]:.3g} and feature {smallest} "
            f"{deviations[smallest]:.3g}: a ratio of {spread:.2g} between the columns of the input",
            where=window.at(content_line(window, model.id)),
            confidence=0.9,
            deviations=deviations,
            ratio=spread,
        )
    if not judged:
        raise Skip("the features of no input were measured")
    return None


def _is_scaled_as_a_whole(window: Window, varying: Array, drowned: float) -> bool:
    """Whether a table has most of its columns far below a few others, and the model has not learnt from them."""
    left = error_left(window)
    return len(varying) <= WIDEST_TABLE and drowned >= 0.5 and left is not None and left > MUCH
