"""wrong-loss-sign: the training makes the loss as large as it can."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.chain import SPOILED, all_chains, is_negated
from stetho.checks.evidence.compared import NEVER_NEGATIVE, beginning, compared, ending
from stetho.checks.evidence.labels import label_counts
from stetho.checks.evidence.praised import praised
from stetho.checks.mechanisms.endless import endless_fall
from stetho.checks.mechanisms.pulled import pulled
from stetho.checks.mechanisms.quantiles import turned_quantile
from stetho.checks.mechanisms.rewarded import rewarded
from stetho.checks.mechanisms.stretched import stretched
from stetho.checks.window import Window
from stetho.findings.finding import Finding

CHOOSING = ("Gather", "Index")


@check(
    severity="error",
    explains=(*SPOILED, "divergence", "non-finite-value", "overflow", "exploding-gradient", "loss-spike"),
)
def wrong_loss_sign(window: Window, *, growth: float = 2.0) -> Finding | None:
    """The loss is maximised.

    ## What it finds
    A loss that goes backward with the opposite sign of the loss call before it; an optimizer with `maximize=True` on
    such a loss; or, in a loss written by hand, minus a distance, or a log-likelihood without a minus, that starts below
    0 and falls to more than `growth` times that, or from above 0 to far below and on; a cosine similarity without a
    minus that ends far below 0; the likelihood of choices without a minus, with answers that become worse than chance;
    the likelihood of choices times what the program calls a reward, without a minus; a margin between two distances
    that pulls together what lies farther apart than what it pushes apart, also where a flag of each pair tells which is
    which; the loss of a quantile whose difference is
    taken the wrong way round; the change of volume of a normalising flow, with a plus.

    ## Why it matters
    Every step makes the predictions worse. The number that goes down is not what was meant.

    ## What to try
    Remove the minus sign (or `maximize=True`), or add the missing one: a loss must fall when predictions get better.

    ## When it is wrong
    One side of an adversarial pair. With more than one optimizer only rewards are looked at.
    """
    taught = rewarded(window)
    if taught is not None:
        return taught
    if len(window.optimizers) > 1:
        raise Skip("several optimizers may pull in opposite directions")
    if not window.loss_graphs and not window.losses:
        raise Skip("no loss was recorded")
    return (
        _against_call(window)
        or endless_fall(window, growth)
        or praised(window, growth)
        or pulled(window)
        or turned_quantile(window)
        or stretched(window)
        or _unlearnt(window)
    )


def _against_call(window: Window) -> Finding | None:
    both = compared(window)
    calls = {loss.call for loss in window.losses if loss.phase == "train"}
    usable = np.abs(both.called) > 1e-9
    if usable.sum() < 8 or not calls or not calls <= set(NEVER_NEGATIVE):
        return None
    ratios = both.backward[usable] / both.called[usable]
    steady = np.median(np.abs(ratios - np.median(ratios))) < 0.02 * abs(np.median(ratios))
    maximised = any(
        each.settings.get("maximize") is True for optimizer in window.optimizers for each in optimizer.groups
    )
    if not steady or bool(np.median(ratios) > 0) != maximised:
        return None
    call = next(loss for loss in window.losses if loss.call in calls)
    if beginning(both.called) < 0 or ending(both.called) < 0.8 * beginning(both.called):
        return None
    factor = f"what goes backward is {np.median(ratios):.3g} times that"
    how = "the optimizer has maximize=True" if maximised else factor
    return window.finding(
        f"{call.call} rises from {beginning(both.called):.3g} to {ending(both.called):.3g}: {how}",
        where=window.at(window.optimizers[0].line if maximised else window.loss_line() or call.line),
        confidence=0.97,
        loss=both.called,
        ratio=float(np.median(ratios)),
    )


def _unlearnt(window: Window) -> Finding | None:
    """The likelihood of choices goes into the loss without a minus, and the right ones become rarer than by chance."""
    answers, counts = window.metric("accuracy", "eval"), label_counts(window, "eval")[0]
    if answers is None or not len(counts):
        return None
    chance, last = 1 / counts.shape[1], ending(answers.values)
    if last > min(0.4 * chance, answers.values[0]):
        return None
    for graph, chain in all_chains(window):
        place = next((place for place, op in enumerate(chain) if op.op in CHOOSING), None)
        if place is None or is_negated(chain[: place + 1]):
            continue
        return window.finding(
            f"the likelihood of the choices is in the loss without a minus, and {last:.1%} of the answers are right "
            f"at the end: by chance it would be {chance:.1%}",
            where=window.at(graph.place or window.line("backward")),
            confidence=0.9,
            accuracy=answers.values,
        )
    return None
