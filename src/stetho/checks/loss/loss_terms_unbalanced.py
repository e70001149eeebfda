"""loss-terms-unbalanced: one term of the loss drowns the one that matters."""

import numpy as np

from stetho.checks.chain import SPOILED
from stetho.checks.compared import beginning, compared, ending
from stetho.checks.declare import Skip, check
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(severity="warning", needs_end=True, explains=(*SPOILED, "excessive-weight-decay"))
def loss_terms_unbalanced(window: Window, *, share: float = 0.05, still: float = 0.9) -> Finding | None:
    """Terms of the loss are out of proportion.

    ## What it finds
    The loss function that was called gives less than the `share` of the loss that goes backward, in most steps; the
    whole falls, and this term stays above `still` of where it began.

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
    if steady or np.quantile(shares[: max(len(shares) // 2, 5)], 0.9) > share:
        return None
    first, last = beginning(both.called), ending(both.called)
    if not (ending(both.backward) < 0.7 * beginning(both.backward) and last > still * first):
        return None
    call = next(iter(window.losses), None)
    return window.finding(
        f"{call.call if call else 'the loss call'} is {np.median(shares):.1%} of the loss and stays at {last:.3g} "
        f"(from {first:.3g}), while the whole falls from {beginning(both.backward):.3g} to {ending(both.backward):.3g}",
        where=window.at(window.line("backward")),
        confidence=0.85,
        share=shares,
        term=both.called,
        whole=both.backward,
    )
