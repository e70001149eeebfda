"""What it costs to know nothing: the loss of answers that are all alike."""

import numpy as np

from stetho.checks.evidence.outcome import SQUARED
from stetho.checks.run.facts import Loss, LossGraph
from stetho.checks.window import Window

CHOOSING = ("Gather", "Index", "NllLoss")
NORMALISING = ("LogSoftmax", "Logsumexp")


def guessed_loss(window: Window) -> float | None:
    """The loss of saying all classes alike, or the mean, from the call of a loss or its operations; None for others."""
    called = [loss for loss in window.losses if loss.phase == "train"]
    if len(called) == 1:
        is_squared = called[0].call in SQUARED and called[0].reduction == "mean"
        return _spread(window) if is_squared else chance_of(called[0])
    if called:
        return None
    written = [_of_graph(graph) for graph in window.loss_graphs]
    return written[0] if len(written) == 1 else None


def chance_of(loss: Loss) -> float | None:
    """The mean loss of a guess in one call.

    >>> round(chance_of(Loss("cross_entropy", input="float32[32, 5]")), 2)
    1.61
    """
    shape = loss.input_shape
    if loss.reduction != "mean" or not shape:
        return None
    if loss.call in ("cross_entropy", "nll_loss"):
        classes = shape[1] if len(shape) > 1 else shape[0]
        return float(np.log(classes)) if classes > 1 else None
    return float(np.log(2)) if loss.call.startswith("binary_cross_entropy") and loss.weight is None else None


def _of_graph(graph: LossGraph) -> float | None:
    """A mean of logarithms that are chosen by the label, written out of tensor operations."""
    names = {op.op for op in graph.ops}
    shape = graph.output_shape or ()
    is_chosen = names & set(CHOOSING) and names & set(NORMALISING) and "Mean" in names
    return float(np.log(shape[-1])) if is_chosen and len(shape) == 2 and shape[-1] > 1 else None


def _spread(window: Window) -> float | None:
    """The variance of the targets."""
    squares = window.batches("train")["target_std"] ** 2
    return float(np.nanmean(squares)) if np.isfinite(squares).any() else None
