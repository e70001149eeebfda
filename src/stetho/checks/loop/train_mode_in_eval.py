"""train-mode-in-eval: dropout and batch norm go on as in training while the model is evaluated."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.symptoms import OVERFITTED
from stetho.checks.mechanisms.evaluations import (
    are_seen,
    asked_again,
    looks_like_evaluation,
    predicts_after_training,
    stuck_dropout,
)
from stetho.checks.run.facts import Layer, Model
from stetho.checks.run.table import Table
from stetho.checks.window import Window
from stetho.findings.finding import Finding

DIFFERENT_IN_TRAINING = ("Dropout", "AlphaDropout", "FeatureAlphaDropout", "BatchNorm", "SyncBatchNorm", "RReLU")
PREDICTIONS = 10


def behaves_differently(window: Window, model: int) -> list[Layer]:
    """Layers of a model that do something else in training than in evaluation."""
    layers = [each for each in window.layers if each.model == model and each.is_kind(*DIFFERENT_IN_TRAINING)]
    return [each for each in layers if not (each.is_kind("Dropout") and each.number("p") == 0)]


@check(severity="error", explains=(*OVERFITTED, "collapsed-output", "preprocessing-differs"))
def train_mode_in_eval(window: Window, *, share: float = 0.9, least: int = 2, rare: float = 0.34) -> Finding | None:
    """The model is evaluated in training mode.

    ## What it finds
    Passes for evaluation (at `least` so many), more than the share `share` of them in training mode, of a model with
    dropout or batch norm: those that compute a loss or compare answers with labels, and no backward pass comes through.
    A warning on those that are known only by their course, if the model is trained on targets: they come after less
    than the share `rare` of the steps, each time equally many, in batches of the usual shape that training does not
    use; or they are predictions without gradients, each for new data, after the last step. Or, as a copy of the model
    showed, `dropout` is called in evaluation mode without saying whether it is training.

    ## Why it matters
    Dropout goes on dropping, and batch norm normalises with the batch at hand and learns the statistics of the
    evaluation data: scores are too low, differ from run to run, and leak.

    ## What to try
    Call `model.eval()` before the evaluation, and `model.train()` after it.

    ## When it is wrong
    Statistics that are meant to adapt to the evaluation data. Monte-Carlo dropout asks for one batch again and again,
    and is left out; so are layers that the program itself keeps in evaluation mode, inside a model that trains.
    """
    passes, unused = (rows.where(~asked_again(rows)) for rows in map(window.batches, ("eval", "unused")))
    has_loss = passes["loss_call"] != None  # noqa: E711  # an array of texts and None, compared one by one
    without_gradients, in_training = passes["grad"] == 0, passes["training"] == 1
    is_judged = has_loss | np.isfinite(passes["counted"])
    stuck = stuck_dropout(window, passes.where(~in_training))
    if stuck is not None:
        return stuck
    for model in window.models:
        different = [layer for layer in behaves_differently(window, model.id) if not _is_set_apart(window, layer)]
        own = passes["model"] == model.id
        with_loss = passes.where(own & has_loss & without_gradients)
        judged = passes.where(own & is_judged & (without_gradients | in_training))
        silent = passes.where(own & without_gradients & ~is_judged & in_training)
        if not different:
            continue
        if with_loss.count >= least and with_loss["training"].mean() >= share:
            return _finding(window, with_loss, different)
        is_known = judged.count >= least and judged["training"].mean() >= share
        if is_known and not are_seen(judged, window.batches("train", model.id), 0.9):
            return _finding(window, judged, different)
        guessed = (silent, unused.where(unused["model"] == model.id)) if _has_targets(window, model) else ()
        for rows in guessed:
            if judged.count < least and looks_like_evaluation(window, rows, model.id, least, rare):
                return _finding(window, rows, different, is_certain=False)
        if model.is_trained and judged.count < least and predicts_after_training(window, silent, model.id, PREDICTIONS):
            return _finding(window, silent, different, is_certain=False)
    if not (window.batches("eval").count or window.batches("unused").count):
        raise Skip("no evaluation was seen")
    return None


def _is_set_apart(window: Window, layer: Layer) -> bool:
    """Whether it is in evaluation mode within a model in training mode: a frozen part, or a `train` that spares it."""
    top = window.layer("", layer.model)
    return layer.training is False and top is not None and top.training is True


def _has_targets(window: Window, model: Model) -> bool:
    """Whether a model is trained on targets: else what it gives is looked at, and seldom judged."""
    calls = window.batches("train", model.id)["loss_call"]
    return model.is_trained and any(call is not None for call in calls)


def _finding(window: Window, rows: Table, different: list[Layer], *, is_certain: bool = True) -> Finding:
    training, steps = rows["training"], rows["step"]
    judged = next((loss.line for loss in window.losses if loss.phase == "eval"), None) if is_certain else None
    asked = window.line("evaluation called") or window.line("evaluation")
    line = (None if is_certain else window.line("unused forward")) or asked or judged
    top = window.layer("", different[0].model)
    return window.finding(
        f"{int(training.sum())} of {len(training)} evaluation passes ran in training mode, with "
        f"{len(different)} layer{'s' if len(different) > 1 else ''} that differ ({different[0].kind})",
        where=window.given(line, "mode") or (top.called if top else None),
        steps=(steps[0], steps[-1], len(steps)),
        severity="error" if is_certain else "warning",
        confidence=0.95 if is_certain else 0.9,
        layers=", ".join(layer.name for layer in different[:6]),
    )
