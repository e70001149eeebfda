"""unreachable-target: the last activation cannot give what the targets ask for."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.chain import SPOILED, all_chains, last_in_model
from stetho.checks.evidence.compared import middle
from stetho.checks.mechanisms.bounded import bounded
from stetho.checks.mechanisms.ranges import COMPARING, RANGES, activation_before, range_text
from stetho.checks.run.series import Array
from stetho.checks.run.table import Table
from stetho.checks.window import Window
from stetho.findings.finding import Finding

PLUS_MINUS_ONE = ("soft_margin_loss", "hinge_embedding_loss", "margin_ranking_loss", "cosine_embedding_loss")


@check(
    severity="error",
    explains=(*SPOILED, "target-not-scaled", "divergence", "overflow", "exploding-gradient",
              "labels-independent-of-inputs"),
)  # fmt: skip
def unreachable_target(window: Window, *, beyond: float = 0.2) -> Finding | None:
    """Targets that the output cannot reach.

    ## What it finds
    A regression whose output ends in sigmoid, tanh, ReLU, softmax or the like, with targets `beyond` their range (as a
    share of its width) and by more than half a deviation; or by more than the width itself in one batch of ten, as
    rewards that come now and then do; a binary cross entropy with targets outside 0 to 1; a margin
    loss with targets 0 and 1 where it needs −1 and 1; a choice by products of unit vectors that are multiplied with so
    small a number that no choice can become likely.

    ## Why it matters
    The loss has a floor that no training can pass, and units run into saturation or die while trying.

    ## What to try
    Remove the last activation, or bring the targets into its range.

    ## When it is wrong
    Rare outliers are left out; targets that are out of reach on purpose would be strange.
    """
    small = bounded(window)
    if small is not None:
        return small
    if not window.losses and not np.isfinite(window.batches("train")["target_min"]).any():
        raise Skip("no targets were recorded")
    return _out_of_definition(window) or _out_of_activation(window, beyond)


def _out_of_definition(window: Window) -> Finding | None:
    for loss in window.losses:
        low, high = loss.target_low, loss.target_high
        if low is None or high is None:
            continue
        binary = loss.call == "binary_cross_entropy_with_logits" and (low < -1e-3 or high > 1 + 1e-3)
        margin = loss.call in PLUS_MINUS_ONE and low == 0 and high == 1
        if binary or margin:
            return window.finding(
                f"targets of {loss.call} go from {low:.3g} to {high:.3g}; it needs "
                + ("0 to 1" if binary else "−1 and 1"),
                where=window.at(loss.line),
                confidence=0.96,
                target_low=low,
                target_high=high,
            )
    return None


def _out_of_activation(window: Window, beyond: float) -> Finding | None:
    rows = window.batches("train")
    rows = rows.where(np.isin(rows["loss_call"].astype(str), list(COMPARING)) & np.isfinite(rows["target_std"]))
    comparing = {op for call in set(rows["loss_call"].astype(str)) for op in COMPARING[call]}
    for graph, chain in all_chains(window):
        end = activation_before(chain, comparing)
        if end is None or not rows.count:
            continue
        least, most = RANGES[end]
        far = _is_far(rows, least, most)
        chosen = rows.where(far) if far.sum() >= max(3, 0.1 * rows.count) else rows
        low, high, deviation = (middle(chosen[name]) for name in ("target_min", "target_max", "target_std"))
        width = most - least
        if max(least - low, high - most) > max(0.5 * deviation, beyond * width if np.isfinite(width) else 0.0):
            ending = last_in_model(window, end, "ReLU", "Sigmoid", "Tanh", "Softmax", "Softplus")
            line = window.end_line(end) or next((loss.line for loss in window.losses if loss.call in COMPARING), None)
            return window.finding(
                f"targets go from {low:.3g} to {high:.3g}, but the output ends in {end.lower()}, "
                f"which stays {range_text(least, most)}",
                where=window.at(window.choice_line(ending) if ending is not None else line or graph.line, layer=ending),
                confidence=0.95,
                target_low=low,
                target_high=high,
                target_std=deviation,
            )
    return None


def _is_far(rows: Table, least: float, most: float) -> Array:
    """The batches with targets that are out of reach by more than the width of the range."""
    return np.maximum(least - rows["target_min"], rows["target_max"] - most) > most - least
