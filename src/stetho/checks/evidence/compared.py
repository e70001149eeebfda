"""What the losses that went backward have to do with the calls of loss functions, step by step."""

from dataclasses import dataclass

import numpy as np

from stetho.checks.run.series import Array
from stetho.checks.window import Window

REGRESSION = ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "hand_written_difference")
CLASSES = ("cross_entropy", "nll_loss", "hand_written_choice")
NEVER_NEGATIVE = ("cross_entropy", "nll_loss", "mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss",
                  "binary_cross_entropy", "binary_cross_entropy_with_logits")  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """Steps with one pass and one loss call: what the call gave, and what went backward."""

    steps: Array
    called: Array
    backward: Array


def compared(window: Window, optimizer: int | None = None) -> Compared:
    """The steps of which both are known."""
    rows = window.batches("train")
    known = np.isfinite(rows["loss"])
    steps, counts = np.unique(rows["step"][known], return_counts=True)
    alone = steps[counts == 1]
    chosen = np.isin(window.steps["step"], alone) & (window.steps["backwards"] == 1)
    chosen &= np.isfinite(window.steps["loss"])
    if optimizer is not None:
        chosen &= window.steps["optimizer"] == optimizer
    found = window.steps["step"][chosen]
    order = np.argsort(rows["step"][known], kind="stable")
    called = rows["loss"][known][order][np.searchsorted(rows["step"][known][order], found)]
    return Compared(found, called, window.steps["loss"][chosen])


def beginning(values: Array, share: float = 0.1) -> float:
    """The median of the first part of a series; NaN when it is empty."""
    return float(np.median(values[: max(3, int(share * len(values)))])) if len(values) else float("nan")


def ending(values: Array, share: float = 0.1) -> float:
    """The median of the last part."""
    return float(np.median(values[-max(3, int(share * len(values))) :])) if len(values) else float("nan")


def middle(values: Array) -> float:
    """The median of what is finite; NaN when nothing is."""
    finite = values[np.isfinite(values)]
    return float(np.median(finite)) if len(finite) else float("nan")
