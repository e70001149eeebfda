"""pretrained-input-mismatch: loaded weights meet inputs that they were not trained for."""

import itertools

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.inputs import overall, prepared_line
from stetho.checks.run.facts import Model
from stetho.checks.run.table import Table
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(
    severity="warning",
    explains=("input-not-scaled", "initial-loss-off", "loss-plateau", "activation-scale", "dead-relu",
              "exploding-gradient", "features-of-different-scale", "saturated-activation", "metric-not-following",
              "preprocessing-differs", "learning-rate-too-high", "loss-spike", "divergence", "overflow",
              "overfitting", "evaluation-at-chance", "too-small-model"),
)  # fmt: skip
def pretrained_input_mismatch(window: Window, *, scale: float = 2.0, shift: float = 1.0) -> Finding | None:
    """Inputs that do not match pretrained weights.

    ## What it finds
    A model whose weights were loaded, or that took over layers of an earlier model of the run, is given inputs that
    differ from those of the earlier model by a factor of `scale` in deviation or by `shift` deviations in mean; or, in
    a loaded model, a normalisation in evaluation mode gives values of ten times the usual size.

    ## Why it matters
    The features that the weights stand for appear only in inputs of the size and offset that they were trained with.

    ## What to try
    Prepare the inputs as the pretrained model's own code does: same range, same mean and deviation, same order of
    channels.

    ## When it is wrong
    A model that is trained anew from top to bottom and soon gets used to its inputs.
    """
    loaded = [load for load in window.loads if load.matched > 0 and load.matched >= 2 * load.missing]
    if not loaded:
        raise Skip("no weights were loaded")
    heads = {"Linear"} - {load.model for load in loaded}
    known = [(model, rows) for model in window.models if (rows := _seen(window, model)).count]
    for (first, before), (second, after) in itertools.combinations(known, 2):
        if not first.is_trained or first.kind != second.kind or first.kind in heads:
            continue
        if len(before["shape"][0]) != len(after["shape"][0]):
            continue
        (mean, deviation), (other_mean, other_deviation) = overall(before), overall(after)
        pair = sorted((max(deviation, 1e-12), max(other_deviation, 1e-12)))
        if pair[1] < scale * pair[0] and abs(mean - other_mean) < shift * pair[1]:
            continue
        return window.finding(
            f"weights trained on inputs of mean {mean:.3g} and deviation {deviation:.3g} are given inputs of mean "
            f"{other_mean:.3g} and deviation {other_deviation:.3g}",
            where=window.at(second.fed or prepared_line(window, second.id, after["phase"][0]) or loaded[-1].line),
            confidence=0.9,
            before_mean=mean,
            before_std=deviation,
            mean=other_mean,
            std=other_deviation,
        )
    return _through_normalisation(window)


def _seen(window: Window, model: Model) -> Table:
    """What a model was given in training; a frozen one is evaluated all the while."""
    rows = window.batches("train" if model.is_trained else "eval", model.id)
    is_float = np.array([str(dtype).startswith("float") for dtype in rows["dtype"]], bool)
    rows = rows.where(is_float & np.isfinite(rows["std"]) & np.isfinite(rows["mean"]))
    is_used = model.is_trained or len(np.unique(rows["step"])) >= 5
    return rows if is_used else rows.where(np.zeros(rows.count, bool))


def _through_normalisation(window: Window) -> Finding | None:
    first = next((layer for layer in window.forward_order if layer.is_kind("BatchNorm")), None)
    if first is None or first.training is not False:
        return None
    acts = window.layer_stat("act.rms", first) or window.layer_stat("act.rms", first, "eval")
    weight = window.parameter_stat("param.rms", f"{first.name}.weight")
    if acts is None or not acts.first > 10 * max(weight.first if weight is not None else 1.0, 1e-12):
        return None
    return window.finding(
        f"{first.name} normalises with stored statistics and gives values of size {acts.first:.3g}",
        where=window.at(layer=first),
        confidence=0.75,
        rms=acts.values,
    )
