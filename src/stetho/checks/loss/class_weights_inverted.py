"""class-weights-inverted: frequent classes weigh more in the loss than rare ones."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.labels import label_counts
from stetho.checks.run.series import Array
from stetho.checks.window import Window
from stetho.findings.finding import Finding

EXPLAINS = ("class-imbalance", "collapsed-output", "metric-not-following", "loss-plateau", "too-small-model")
BINARY = "binary_cross_entropy_with_logits"


@check(severity="warning", explains=EXPLAINS)
def class_weights_inverted(
    window: Window, *, imbalance: float = 3.0, slope: float = 0.4, slope_of_two: float = 0.8
) -> Finding | None:
    """Weights of classes grow with their frequency.

    ## What it finds
    Labels of which the most frequent class has more than `imbalance` times as many as the rarest, and weights of the
    loss that grow with the counts: at least with their power `slope`, and in one order with them; for two classes, or
    `pos_weight`, with the power `slope_of_two`. Weights that are the counts have the power 1.

    ## Why it matters
    Weights are there to make up for rare classes. These make them rarer still: the model learns to say the frequent
    class and hardly hears of the others.

    ## What to try
    Divide by the counts: `counts.sum() / (classes * counts)`; `pos_weight` is the count of negative labels over that
    of positive ones.

    ## When it is wrong
    Costs that differ on purpose, higher for what is frequent.
    """
    given = _weights(window)
    if not given:
        raise Skip("the loss has no class weights")
    counts, _ = label_counts(window)
    total = counts.sum(0) if len(counts) else np.zeros(0)
    for weights, place in given:
        if len(weights) != len(total):
            continue
        known = (total > 0) & np.isfinite(weights) & (weights > 0)
        power = _power(weights[known], total[known], imbalance)
        if power is not None and power >= (slope if known.sum() > 2 else slope_of_two):
            return _found(window, weights, total, known, power, place)
    return None


def _weights(window: Window) -> list[tuple[Array, str | None]]:
    """Weights of the classes, and where they are given."""
    found = []
    for loss in window.losses:
        if loss.phase == "train" and loss.call in ("cross_entropy", "nll_loss") and len(loss.weight or ()) > 1:
            found.append((np.array(loss.weight, float), window.given(loss.place, "weight")))
        positive = loss.settings.get("pos_weight")
        if loss.phase == "train" and loss.call == BINARY and positive:
            # Labels are counted over all outputs together, so their weights are put together too.
            found.append((np.array([1.0, float(np.median(positive))]), window.given(loss.place, "pos_weight")))
    by_hand = window.probes.get("class_weights", {}).get("weights")
    if by_hand:
        found.append((np.array([np.nan if each is None else each for each in by_hand], float), window.loss_line()))
    return found


def _power(weights: Array, counts: Array, imbalance: float) -> float | None:
    """The power of the counts that the weights grow with; None where labels are balanced, or there is no order."""
    if len(counts) < 2 or counts.max() < imbalance * counts.min() or np.ptp(weights) == 0:
        return None
    x, y = np.log(counts), np.log(weights)
    if np.corrcoef(x, y)[0, 1] < 0.9:
        return None
    return float(np.polyfit(x, y, 1)[0])


def _found(window: Window, weights: Array, total: Array, known: Array, power: float, place: str | None) -> Finding:
    shares = total / total.sum()
    classes = np.flatnonzero(known)
    often, rare = classes[np.argmax(total[classes])], classes[np.argmin(total[classes])]
    return window.finding(
        f"class {often} makes {shares[often]:.1%} of the labels and weighs {weights[often]:.3g} in the loss, "
        f"class {rare} makes {shares[rare]:.1%} and weighs {weights[rare]:.3g}",
        where=window.at(place),
        confidence=0.93,
        weights=weights,
        shares=shares,
        power=power,
    )
