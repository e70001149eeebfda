"""destroying-augmentation: random changes to the training inputs leave nothing of the signal."""

import numpy as np

from stetho.checks.chance import share_noise
from stetho.checks.declare import Skip, check
from stetho.checks.inputs import data_line, overall, trains_badly
from stetho.checks.labels import labelled, majority
from stetho.checks.redrawn import are_redrawn
from stetho.checks.table import Table
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(
    severity="warning",
    needs_end=True,
    explains=("preprocessing-differs", "loss-plateau", "too-small-model", "labels-independent-of-inputs",
              "learning-rate-too-low", "stopped-early", "metric-not-following", "excessive-dropout",
              "collapsed-output"),
)  # fmt: skip
def destroying_augmentation(window: Window, *, scale: float = 1.4, close: float = 0.1) -> Finding | None:
    """Augmentation that destroys the signal.

    ## What it finds
    Training samples that are drawn anew each time and differ from those of the evaluation by a factor of `scale` in
    deviation, or in how many values are 0, while the answers in training stay `close` to a guess or the loss does not
    fall.

    ## Why it matters
    What the labels depend on is covered, cut away or drowned in noise: the model sees labels without a reason.

    ## What to try
    Look at augmented samples: if you cannot tell the label, neither can the model. Weaken the augmentation.

    ## When it is wrong
    Training that only begins.
    """
    judged = 0
    for model in window.models:
        train, other = (_seen(window.batches(phase, model.id)) for phase in ("train", "eval"))
        if not model.is_trained or train.count < 5 or not other.count or not are_redrawn(window, train):
            continue
        judged += 1
        change = _change(train, other, scale)
        if change is None or not _learns_nothing(window, close):
            continue
        return window.finding(
            f"training samples are changed at random ({change}) and nothing is learnt from them",
            where=window.at(data_line(window, model.id)),
            confidence=0.85,
            train_std=overall(train)[1],
            eval_std=overall(other)[1],
        )
    if not judged:
        raise Skip("no training samples that are drawn anew, with an evaluation beside them")
    return None


def _seen(rows: Table) -> Table:
    return rows.where(np.isfinite(rows["std"]) & np.isfinite(rows["mean"]))


def _change(train: Table, other: Table, scale: float) -> str | None:
    one, two = max(overall(train)[1], 1e-12), max(overall(other)[1], 1e-12)
    if max(one / two, two / one) > scale:
        return f"deviation {one:.3g}, and {two:.3g} in evaluation"
    empty, plain = (float(np.mean(rows["zeros"] / [np.prod(s) for s in rows["shape"]])) for rows in (train, other))
    return f"{empty:.0%} of the values are 0, and {plain:.0%} in evaluation" if empty > plain + 0.3 else None


def _learns_nothing(window: Window, close: float) -> bool:
    rows, frequent = labelled(window), majority(window)
    if frequent is None:
        return trains_badly(window)
    rows = rows.where(rows["step"] >= 0.7 * window.count)
    counted = rows["counted"].sum()
    return bool(counted and rows["correct"].sum() / counted < frequent + close + share_noise(frequent, counted))
