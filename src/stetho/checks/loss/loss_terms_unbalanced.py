"""loss-terms-unbalanced: one term of the loss drowns the one that matters."""

import numpy as np

from stetho.checks.chain import SPOILED
from stetho.checks.compared import CLASSES, beginning, compared, ending
from stetho.checks.declare import Skip, check
from stetho.checks.facts import Loss
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(severity="warning", needs_end=True, explains=(*SPOILED, "excessive-weight-decay"))
def loss_terms_unbalanced(window: Window, *, share: float = 0.05, still: float = 0.9) -> Finding | None:
    """Terms of the loss are out of proportion.

    ## What it finds
    The loss function that was called begins with less than the `share` of the loss that goes backward; the whole falls,
    and this term stays above `still` of where it began, at what a guess would cost.

    ## Why it matters
    The optimizer follows the sum. A term a hundred times larger than the others decides every step, and the others are
    learnt only when it is done.

    ## What to try
    Weigh the terms so that their gradients are of one size, and watch each of them.

    ## When it is wrong
    A term that is only watched, or that is meant to come later.
    """
    both = compared(window)
    known = np.abs(both.backward) > 1e-12
    if known.sum() < 10:
        raise Skip("no loss call that goes with the backward passes")
    shares = np.abs(both.called[known] / both.backward[known])
    # A constant factor is a scale, not a second term.
    steady = np.std(np.log(np.maximum(shares, 1e-30))) < 0.02
    if steady or beginning(shares) > share:
        return None
    first, last = beginning(both.called), ending(both.called)
    if not (ending(both.backward) < 0.7 * beginning(both.backward) and last > still * first):
        return None
    call = next((loss for loss in window.losses if loss.phase == "train"), None)
    if call is None or last < 0.5 * _guess(window, call):
        return None
    return window.finding(
        f"{call.call} begins as {beginning(shares):.1%} of the loss and stays at {last:.3g} "
        f"(from {first:.3g}), while the whole falls from {beginning(both.backward):.3g} to {ending(both.backward):.3g}",
        where=window.at(window.line("backward")),
        confidence=0.85,
        share=shares,
        term=both.called,
        whole=both.backward,
    )


def _guess(window: Window, call: Loss) -> float:
    """What knowing nothing costs; infinite where it is not known, for then nothing can be said."""
    if call.call in CLASSES and call.input_shape:
        return float(np.log(max(call.input_shape[1] if len(call.input_shape) > 1 else call.input_shape[0], 2)))
    if call.call.startswith("binary_cross_entropy"):
        return float(np.log(2))
    if call.call == "mse_loss":
        return float(np.nanmedian(window.batches("train")["target_std"]) ** 2)
    return float("inf")
