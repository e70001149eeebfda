"""target-not-scaled: targets of a regression far outside of what the model gives at the start."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.compared import REGRESSION, ending, middle
from stetho.checks.mechanisms.cut_off import cut_off
from stetho.checks.window import Window
from stetho.findings.finding import Finding

SQUARED = ("mse_loss", "hand_written_difference")
OVERFLOWING = 1e18
"""The square of larger ones is more than 32 bits hold."""


@check(
    severity="warning",
    needs_end=True,
    explains=("exploding-gradient", "loss-plateau", "divergence", "overflow", "learning-rate-too-low",
              "learning-rate-too-high", "stopped-early", "too-small-model", "dead-relu", "loss-spike",
              "initial-loss-off", "activation-scale", "collapsed-output", "frozen-parameter", "vanishing-gradient",
              "saturated-activation", "overfitting", "metric-not-following", "badly-scaled-init"),
)  # fmt: skip
def target_not_scaled(window: Window, *, large: float = 10.0, explained: float = 0.65) -> Finding | None:
    """Targets of a regression that are not scaled.

    ## What it finds
    Targets whose root mean square is above `large`, and a training that ends with the error above the share `explained`
    of what predicting their mean would cost, or with a loss that is finite no more. If it trains all the same, it is a
    note. Or targets around 0 that all are whole numbers, where the program fills an array of whole numbers with others,
    or nothing but 0 where it makes whole numbers of them: what was scaled well has lost its fractions.

    ## Why it matters
    The output of a fresh model is about 1 in size. Targets in the thousands make the first errors, gradients and steps
    as many times larger, and with a fixed step size it takes as many more steps to get there.

    ## What to try
    Standardise the targets with the mean and deviation of the training data, and scale predictions back when you read
    them.

    ## When it is wrong
    Where targets are that large because something else is wrong, such as their unit.
    """
    whole = cut_off(window)
    if whole is not None:
        return whole
    rows = window.batches("train")
    rows = rows.where(np.isin(rows["loss_call"].astype(str), REGRESSION))
    mean, deviation = middle(rows["target_mean"]), middle(rows["target_std"])
    if not np.isfinite([mean, deviation]).all():
        raise Skip("no targets of a regression were recorded")
    size = float(np.hypot(mean, deviation))
    losses = window.loss_series()
    if size < large or not len(losses):
        return None
    call = str(rows["loss_call"][0])
    loss = next((each for each in window.losses if each.call == call), None)
    if loss is not None and loss.reduction not in ("mean", None):
        return None
    finite = losses.finite.values
    if not len(finite) and size < OVERFLOWING:
        # Before the first update nothing has been made of the targets: what overflows is the model.
        return None
    # Within batches, and between them.
    spread = float(np.hypot(deviation, np.nanstd(rows["target_mean"])))
    final = ending(finite) if len(finite) else float("nan")
    error = np.sqrt(max(final, 0.0)) if call in SQUARED else final
    remaining = float(error / max(spread, 1e-30)) if len(finite) == len(losses) else float("inf")
    # Nobody leaves targets of that size as they are; smaller ones may be as noisy as the error says.
    enough = explained if size < 100 * large else 0.3 * explained
    learnt = remaining**2 < enough if call in SQUARED else remaining < enough
    if learnt and size < 10 * large:
        return None
    return window.finding(
        f"targets have mean {mean:.3g} and deviation {deviation:.3g}; the last error is {remaining:.2g} of it",
        where=window.at(loss.target_made or loss.line if loss is not None else window.line("backward")),
        severity="note" if learnt else "warning",
        confidence=0.85,
        target_mean=mean,
        target_std=deviation,
        remaining=remaining,
    )
