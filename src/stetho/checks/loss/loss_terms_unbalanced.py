"""loss-terms-unbalanced: one term of the loss drowns the one that matters."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.chain import SPOILED
from stetho.checks.evidence.compared import CLASSES, Compared, beginning, compared, ending
from stetho.checks.evidence.outcome import error_left
from stetho.checks.mechanisms.mixed_terms import summed_beside_averaged
from stetho.checks.run.facts import Loss
from stetho.checks.window import Window
from stetho.findings.finding import Finding

DIFFERENCES = ("mse_loss", "l1_loss", "hand_written_term")
LEAST_STEPS = 100
LEAST_LOOKS = 10
MOST_WRONG = 0.6
"""The share of a guess's wrong answers that are still wrong when a task was not learnt."""


@check(severity="warning", needs_end=True, explains=(*SPOILED, "excessive-weight-decay", "class-imbalance"))
def loss_terms_unbalanced(window: Window, *, share: float = 0.05, still: float = 0.9) -> Finding | None:
    """Terms of the loss are out of proportion.

    ## What it finds
    The term that compares the output with its targets begins with less than the `share` of the loss that goes backward;
    the whole falls, and this term stays above `still` of where it began, at what a guess would cost, or most answers
    that a guess gets wrong are wrong at the end. Or the other terms begin larger and are driven to nothing at its cost:
    it stays where it was, or outputs no longer differ from sample to sample. Or one term is summed over its elements
    and another averaged, with no factor between them, and the averaged one is not learnt while the summed one is.

    ## Why it matters
    The optimizer follows the sum. A term a hundred times larger than the others decides every step, and the others are
    learnt only when it is done.

    ## What to try
    Weigh the terms so that their gradients are of one size (all summed or all averaged), and watch each of them.

    ## When it is wrong
    A term that is only watched, or that is meant to come later.
    """
    mixed = summed_beside_averaged(window)
    if mixed is not None:
        return mixed
    both = compared(window)
    known = np.abs(both.backward) > 1e-12
    if known.sum() < 10:
        raise Skip("no loss call that goes with the backward passes")
    shares = np.abs(both.called[known] / both.backward[known])
    call = next((loss for loss in window.losses if loss.phase == "train"), None)
    # A constant factor is a scale, not a second term.
    steady = np.std(np.log(np.maximum(shares, 1e-30))) < 0.02
    if steady or call is None:
        return None
    is_drowned = beginning(shares) < share and _is_drowned(window, both, call, still, ending(shares) < share)
    if not is_drowned and not _is_sacrificed(both, call) and not _is_silenced(window, both):
        return None
    name = "the error" if call.call == "hand_written_term" else call.call
    return window.finding(
        f"{name} begins as {both.called[0] / both.backward[0]:.1%} of the loss and stays at "
        f"{ending(both.called):.3g} (from {beginning(both.called):.3g}), while the whole falls from "
        f"{both.backward[0]:.3g} to {ending(both.backward):.3g}",
        where=window.at(window.loss_line()),
        confidence=0.85,
        share=shares,
        term=both.called,
        whole=both.backward,
    )


def _is_drowned(window: Window, both: Compared, call: Loss, still: float, to_the_end: bool) -> bool:
    """Whether a small term is not learnt while the whole falls."""
    if ending(both.backward) > 0.7 * beginning(both.backward):
        return False
    first, last = beginning(both.called), ending(both.called)
    left = error_left(window) if call.call in CLASSES else None
    if to_the_end and left is not None and left > MOST_WRONG:
        return True
    return last > still * first and last > 0.5 * _guess(window, call)


def _is_sacrificed(both: Compared, call: Loss) -> bool:
    """Whether the other terms began larger and are driven to nothing, while this one stays what a guess would cost."""
    rest, term = both.backward - both.called, both.called
    if call.call not in DIFFERENCES or len(rest) < LEAST_STEPS or beginning(rest, 0.0) < 3 * beginning(term, 0.0):
        return False
    return ending(rest) < 0.1 * beginning(rest, 0.0) and ending(term) > 0.75 * beginning(term, 0.0)


def _is_silenced(window: Window, both: Compared) -> bool:
    """Whether larger terms are driven to nothing, and with them what outputs say about their samples."""
    rest = both.backward - both.called
    if beginning(rest, 0.0) < 3 * beginning(both.called, 0.0) or abs(ending(rest)) > 0.02 * beginning(rest, 0.0):
        return False
    passes = window.batches("train")
    spread = passes["output_spread"] / np.maximum(passes["output_std"], 1e-30)
    known = spread[np.isfinite(spread) & (passes["size"] > 1)]
    return len(known) >= LEAST_LOOKS and bool(np.median(known[-3:]) < 0.1 and np.median(known[:3]) > 0.3)


def _guess(window: Window, call: Loss) -> float:
    """What knowing nothing costs; infinite where it is not known, for then nothing can be said."""
    if call.call in CLASSES and call.input_shape:
        return float(np.log(max(call.input_shape[1] if len(call.input_shape) > 1 else call.input_shape[0], 2)))
    if call.call.startswith("binary_cross_entropy"):
        return float(np.log(2))
    if call.call == "mse_loss":
        return float(np.nanmedian(window.batches("train")["target_std"]) ** 2)
    return float("inf")
