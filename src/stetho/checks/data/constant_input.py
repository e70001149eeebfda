"""constant-input: all samples are the same."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.inputs import content_line
from stetho.checks.evidence.weights import never_touched
from stetho.checks.mechanisms.emptied import emptied_column
from stetho.checks.mechanisms.floored import floored_input
from stetho.checks.run.facts import Model, Parameter
from stetho.checks.run.table import Table
from stetho.checks.window import Window
from stetho.findings.finding import Finding

ROUNDING = 1e-7
"""Equal samples in a batch may get answers that differ in their last bit: how a sum is split depends on the row."""


@check(
    severity="error",
    explains=("labels-independent-of-inputs", "loss-plateau", "collapsed-output", "input-not-scaled", "dead-relu",
              "metric-not-following", "repeated-batch", "too-small-model", "frozen-parameter", "vanishing-gradient",
              "stopped-early", "learning-rate-too-low", "split-leak", "preprocessing-differs", "identical-augmentation",
              "features-of-different-scale", "overfitting", "too-few-examples", "unused-embedding-rows"),
)  # fmt: skip
def constant_input(window: Window, *, share: float = 0.9) -> Finding | None:
    """Inputs that are all the same.

    ## What it finds
    In at least the `share` of the training batches that were looked at, every value or every sample is the same. Or all
    indices are the same by the time they come to an embedding, of which one row was ever used. Or nearly all values are
    0 and the others whole numbers, with much error left, in a program that cuts their fractions off: `x // 255`. A
    warning where a column is 0 throughout, much error is left, and the program fills gaps of a translation with 0.

    ## Why it matters
    What does not differ tells nothing apart: the model can learn one answer only.

    ## What to try
    Print a few samples right before the model is called and go back from there to where they become equal.

    ## When it is wrong
    Models whose first argument is constant on purpose and whose information comes in with another one; where outputs
    differ between samples, nothing is said.
    """
    judged = 0
    for model in window.models:
        rows = window.batches("train", model.id)
        rows = rows.where((rows["size"] >= 4) & np.isfinite(rows["std"])) if rows.count else rows
        if not model.is_trained or rows.count < 3:
            continue
        judged += 1
        flat = rows["std"] <= 1e-12 * np.maximum(np.abs(rows["mean"]), 1e-30)
        equal = np.array([_are_equal(samples) for samples in rows["samples"]], bool)
        if np.mean(flat | equal) < share or _outputs_differ(window, rows):
            continue
        what = (
            f"every value is {rows['mean'][0]:.3g}" if flat.mean() >= share else "all samples of a batch are the same"
        )
        return window.finding(
            f"in {np.mean(flat | equal):.0%} of the training batches {what}",
            where=window.at(_looked_up(window, model, rows) or content_line(window, model.id)),
            confidence=0.96,
            std=rows["std"],
            share=float(np.mean(flat | equal)),
        )
    constant = _with_constant_indices(window)
    if constant is not None:
        return window.finding(
            f"{constant.layer} was asked for a single one of its {constant.shape[0]:,} rows in {window.count} steps",
            where=window.at(_called(window, constant), parameter=constant),
            confidence=0.93,
        )
    if (lost := floored_input(window) or emptied_column(window)) is not None:
        return lost
    if not judged:
        raise Skip("no batches of 4 samples and more were looked at")
    return None


def _with_constant_indices(window: Window) -> Parameter | None:
    """An embedding that gives one row to all samples, behind which nothing tells them apart."""
    for parameter in window.parameters:
        layer = window.layer(parameter.layer, parameter.model)
        if layer is None or not layer.is_kind("Embedding") or parameter.shape[0] < 4:
            continue
        if (layer.rows_asked or 1) > 1:
            continue  # Others are asked for; that they get no gradient has another reason.
        unused, rows = never_touched(window, parameter), window.batches("train", parameter.model)
        if unused is None or not 0.5 < parameter.shape[0] * (1 - unused) < 1.5 or not rows.count:
            continue
        if np.isfinite(rows["output_spread"]).any() and not (
            _outputs_differ(window, rows) or window.has("Dropout", "AlphaDropout")
        ):
            return parameter
    return None


def _looked_up(window: Window, model: Model, rows: Table) -> str | None:
    """Where words become numbers, if all that an embedding is given is one of these."""
    has_table = any(layer.model == model.id and layer.is_kind("Embedding") for layer in window.layers)
    is_counted = all(str(dtype).startswith("int") for dtype in rows["dtype"])
    return window.line("looked up") if has_table and is_counted else None


def _called(window: Window, parameter: Parameter) -> str | None:
    layer = window.layer(parameter.layer, parameter.model)
    return window.given(layer.called, f"indices of {layer.name}") if layer is not None else None


def _are_equal(samples: object) -> bool:
    return isinstance(samples, np.ndarray) and len(samples) >= 4 and len(np.unique(samples)) == 1


def _outputs_differ(window: Window, rows: Table) -> bool:
    """Dropout makes outputs differ by itself and tells nothing."""
    spread, scale = rows["output_spread"], rows["output_std"]
    known = np.isfinite(spread)
    if not known.any() or window.has("Dropout", "AlphaDropout"):
        return False
    return bool(np.median(spread[known]) > max(1e-3 * float(np.nanmedian(scale)), ROUNDING))
