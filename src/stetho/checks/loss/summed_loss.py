"""summed-loss: the loss is a sum over the batch, with a learning rate for means."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.chain import SPOILED, Chain, all_chains, elements
from stetho.checks.evidence.compared import beginning, ending
from stetho.checks.loop.clip_too_small import SCALE_FREE
from stetho.checks.window import Window
from stetho.findings.finding import Finding

AVERAGING = ("Mean", "Div", "Mul", "Nanmean")


@check(
    severity="warning",
    needs_end=True,
    explains=(
        *SPOILED,
        "divergence",
        "overflow",
        "exploding-gradient",
        "loss-spike",
        "activation-scale",
        "frozen-parameter",
    ),
)
def summed_loss(window: Window, *, ratio: float = 0.1, rate: float = 0.5) -> Finding | None:
    """The loss is summed where its mean is meant.

    ## What it finds
    A loss that is the sum over the samples of a batch, with plain SGD, whose updates begin above `ratio` of the
    parameters or whose rate times the number of summed terms is above `rate`, and a training that gets nowhere.

    ## Why it matters
    The gradient is as many times larger as there are terms in the sum, so the learning rate is multiplied by the batch
    size (and by the length and width of the output).

    ## What to try
    Use the mean (`reduction="mean"`), or divide the learning rate by the batch size.

    ## When it is wrong
    A rate that was chosen for the sum. Optimizers that do not mind the size of gradients (Adam and its kin) are left
    out.
    """
    if not window.optimizers or all(optimizer.kind in SCALE_FREE for optimizer in window.optimizers):
        raise Skip("the optimizer does not mind the size of gradients")
    losses = window.loss_series()
    if len(losses) < 5:
        raise Skip("fewer than 5 losses were seen")
    line, terms = _sum(window)
    rates = window.steps["lr"][np.isfinite(window.steps["lr"])]
    if terms < 2 or not len(rates):
        return None
    updates = [window.parameter_stat("update.ratio", p) for p in window.parameters if len(p.shape) > 1]
    # The first steps tell: later ones may have run into a state where nothing moves any more.
    starts = [
        float(np.nanmax(series.values[:5])) for series in updates if series and np.isfinite(series.values[:5]).any()
    ]
    update = float(np.median(starts)) if starts else 0.0
    finite = losses.finite.values
    worse = len(finite) < len(losses) or ending(finite) > 0.8 * min(float(finite[0]), beginning(finite, 0.02))
    if not worse or (update < ratio and rates[0] * terms < rate):
        return None
    return window.finding(
        f"the loss is a sum of {terms} terms with a learning rate of {rates[0]:.3g}; first updates are "
        f"{update:.2g} of the parameters, and the loss goes from {losses.first:.3g} to {losses.last:.3g}",
        where=window.at(line),
        confidence=0.88,
        terms=terms,
        learning_rate=float(rates[0]),
        update_ratio=update,
        loss=losses.values,
    )


def _sum(window: Window) -> tuple[str | None, int]:
    """Where the sum is made, and of how many terms; 0 when it is a mean."""
    for loss in window.losses:
        if loss.phase == "train" and loss.reduction == "sum" and not _is_averaged(window):
            # Cross entropy has one term for each target, however many classes there are.
            return loss.place, elements(loss.target_shape)
    for graph, chain in all_chains(window):
        if chain and chain[0].op == "Sum" and chain[0].shape == ():
            summed = next((op.shape for op in chain[1:] if op.shape), None)
            return graph.place, elements(summed)
    return None, 0


def _is_averaged(window: Window) -> bool:
    """Whether the sum is divided, or averaged, on its way to the loss."""

    def before_loss(chain: Chain) -> list[str]:
        end = next((place for place, op in enumerate(chain) if op.op.endswith(("Loss", "Loss2D"))), len(chain))
        return [op.op for op in chain[:end]]

    return any(op in AVERAGING for _, chain in all_chains(window) for op in before_loss(chain))
