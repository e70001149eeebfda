"""destroying-augmentation: random changes to the training inputs leave nothing of the signal."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.chance import share_noise
from stetho.checks.evidence.inputs import data_line, empty_share, is_fed_by_another, overall, trains_badly
from stetho.checks.evidence.labels import labelled, majority
from stetho.checks.evidence.outcome import error_left
from stetho.checks.evidence.redrawn import are_redrawn, never_come_again, sample_hashes
from stetho.checks.mechanisms.exchanged import exchanged
from stetho.checks.mechanisms.mirrored import mirrored
from stetho.checks.run.table import Table
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(
    severity="warning",
    needs_end=True,
    explains=("preprocessing-differs", "loss-plateau", "too-small-model", "labels-independent-of-inputs",
              "learning-rate-too-low", "stopped-early", "metric-not-following", "excessive-dropout",
              "collapsed-output"),
)  # fmt: skip
def destroying_augmentation(window: Window, *, scale: float = 1.4, left: float = 0.6) -> Finding | None:
    """Augmentation that destroys the signal.

    ## What it finds
    Training samples that come back changed, or never, and differ from those of the evaluation by a factor of `scale` in
    deviation, or in how many values are 0, while more than the share `left` of the error of a guess remains in training
    and nearly as much in evaluation; or, where that is not known, the loss does not fall. Also pictures that are turned
    or mirrored while their targets for each pixel are not, or so that two classes become one another.

    ## Why it matters
    What the labels depend on is covered, cut away or drowned in noise: the model sees labels without a reason.

    ## What to try
    Look at augmented samples: if you cannot tell the label, neither can the model. Weaken the augmentation.

    ## When it is wrong
    Training that only begins.
    """
    turned = mirrored(window) or exchanged(window)
    if turned is not None:
        return turned
    judged = 0
    for model in window.models:
        train, other = (_seen(window.batches(phase, model.id)) for phase in ("train", "eval"))
        is_ready = model.is_trained and train.count >= 5 and other.count > 0 and not is_fed_by_another(window, model.id)
        if not is_ready or not _is_random(window, train, other):
            continue
        judged += 1
        change = _change(train, other, scale)
        if change is None or not _learns_nothing(window, left):
            continue
        return window.finding(
            f"training samples are changed at random ({change}) and little is learnt from them",
            where=window.at(_changed(window, model.id) or window.given(data_line(window, model.id), "transform")),
            confidence=0.85,
            train_std=overall(train)[1],
            eval_std=overall(other)[1],
        )
    if not judged:
        raise Skip("no training samples that are drawn anew, with an evaluation beside them")
    return None


def _changed(window: Window, model: int) -> str | None:
    """Where a function of the program changes each batch before the model gets it."""
    called = next((layer.called for layer in window.layers if layer.model == model and not layer.name), None)
    line = window.given(called, "changed")
    return line if line != called else None


def _seen(rows: Table) -> Table:
    return rows.where(np.isfinite(rows["std"]) & np.isfinite(rows["mean"]))


def _is_random(window: Window, train: Table, other: Table) -> bool:
    """Whether samples are changed at random in training; without a loader, an evaluation that repeats its own tells."""
    if are_redrawn(window, train):
        return True
    evaluated = sample_hashes(other)
    return never_come_again(window, train) and len(evaluated) > len(np.unique(evaluated))


def _change(train: Table, other: Table, scale: float) -> str | None:
    one, two = max(overall(train)[1], 1e-12), max(overall(other)[1], 1e-12)
    if max(one / two, two / one) > scale:
        return f"deviation {one:.3g}, and {two:.3g} in evaluation"
    empty, plain = empty_share(train), empty_share(other)
    return f"{empty:.0%} of the values are 0, and {plain:.0%} in evaluation" if empty > plain + 0.3 else None


def _learns_nothing(window: Window, left: float) -> bool:
    rows, frequent = labelled(window), majority(window)
    if frequent is None or frequent >= 0.999:
        return trains_badly(window)
    rows = rows.where(rows["step"] >= 0.7 * window.last_step)
    counted = np.nansum(rows["counted"])
    if not counted:
        return False
    wrong = (1 - np.nansum(rows["correct"]) / counted + share_noise(frequent, counted)) / (1 - frequent)
    evaluated = error_left(window)
    return bool(wrong > left and (evaluated is None or evaluated > 0.5 * left))
