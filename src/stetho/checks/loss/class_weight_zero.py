"""class-weight-zero: the weights of the loss leave a class out."""

from collections.abc import Sequence

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.labels import label_counts, labels_a_sample
from stetho.checks.mechanisms.ignored import ignored_class, ignored_inside
from stetho.checks.run.facts import Loss
from stetho.checks.run.series import Array
from stetho.checks.window import Window
from stetho.findings.finding import Finding, Severity


@check(severity="warning", explains=("class-imbalance", "metric-not-following", "loss-plateau", "too-small-model"))
def class_weight_zero(window: Window, *, negligible: float = 1e-3, least: float = 0.01) -> Finding | None:
    """A class has no weight in the loss.

    ## What it finds
    A weight of a class below `negligible` of the largest, for a class that at `least` this share of the labels has, be
    it given to the loss function or multiplied with the losses of single samples; or
    a `pos_weight` below `negligible` where there are positive labels; or `ignore_index` is a class of the model, and
    each sample has one label, or labels of that class lie between others in more than a fifth of the rows, at words
    that other labels are given to as well.

    ## Why it matters
    Whatever the model says for this class costs nothing, so it is never learnt.

    ## What to try
    Compute the weights from the counts of the training labels, and look at each of them.

    ## When it is wrong
    A class that stands for padding or "ignore"; where labels come many for each sample this is a note only. It is an
    error for images, when most of their labels are of that class and the model never says it.
    """
    weighted = [
        loss for loss in window.losses if loss.weight is not None and len(loss.weight) > 1 and loss.phase == "train"
    ]
    positives = [loss for loss in window.losses if loss.settings.get("pos_weight") and loss.phase == "train"]
    ignored = ignored_class(window, least) or ignored_inside(window)
    if ignored is not None:
        return ignored
    by_hand = window.probes.get("class_weights", {}).get("weights")
    if not weighted and not positives and not by_hand:
        raise Skip("the loss has no class weights")
    places = [(loss.weight, loss.place) for loss in weighted if loss.call in ("cross_entropy", "nll_loss")]
    for weights, place in (*places, *([(by_hand, window.loss_line())] if by_hand else [])):
        found = _forgotten(window, np.array(weights, float), place, negligible, least)
        if found is not None:
            return found
    return _without_positives(window, positives, negligible)


def _forgotten(window: Window, given: Array, place: str | None, negligible: float, least: float) -> Finding | None:
    """A class with hardly any weight that labels name; of a class that was not seen the weight is not known."""
    rows = window.batches("train")
    counts, _ = label_counts(window)
    total = counts.sum(0) if len(counts) else np.zeros(0)
    weights = np.abs(given)
    if len(total) != len(weights) or not total.sum():
        return None
    forgotten = np.flatnonzero(weights <= negligible * np.nanmax(weights))
    forgotten = forgotten[total[forgotten] >= max(least * total.sum(), 1)]
    if not len(forgotten):
        return None
    share = float(total[forgotten].sum() / total.sum())
    many = labels_a_sample(rows) > 1
    return window.finding(
        f"class {', '.join(map(str, forgotten[:5]))} has weight {weights[forgotten[0]]:.2g} in the loss "
        f"and makes {share:.0%} of the labels",
        where=window.at(window.given(place, "weight")),
        severity=_severity(window, share) if many else "warning",
        confidence=0.93,
        weights=weights,
        share=share,
    )


def _severity(window: Window, share: float) -> Severity:
    """Of images, a class that most labels are of and that is never said is no void; of texts it may be padding."""
    rows = window.batches("train")
    is_image = any(shape is not None and len(shape) == 4 for shape in rows["shape"])
    last = slice(-max(rows.count // 5, 1), None)
    right = float(np.nansum(rows["correct"][last]) / max(np.nansum(rows["counted"][last]), 1))
    return "error" if is_image and share >= 0.5 and right <= 1 - 0.9 * share else "note"


def _without_positives(window: Window, losses: Sequence[Loss], negligible: float) -> Finding | None:
    for loss in losses:
        weights = [float(one) for one in loss.settings["pos_weight"]]
        if min(weights) > negligible or not (loss.target_high or 0.0) > 0:
            continue
        which = f" of output {int(np.argmin(weights))}" if len(weights) > 1 else ""
        return window.finding(
            f"positive labels{which} have weight {min(weights):.2g} in the loss: only the negative ones count",
            where=window.at(window.given(loss.place, "pos_weight")),
            confidence=0.93,
            try_next="Set pos_weight to the count of negative labels over that of positive ones, with a true division.",
            weights=weights,
        )
    return None
