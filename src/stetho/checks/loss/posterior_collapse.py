"""posterior-collapse: the code of a variational model says nothing of its sample."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.chain import SPOILED
from stetho.checks.window import Window
from stetho.findings.finding import Finding

LEAST_STEPS = 100
LEAST_LOOKS = 6


@check(severity="error", needs_end=True, explains=(*SPOILED, "loss-terms-unbalanced", "unused-parameter"))
def posterior_collapse(window: Window, *, nats: float = 0.05) -> Finding | None:
    """A variational code that is given up for its prior.

    ## What it finds
    The divergence of the code from its prior (the KL term of a variational autoencoder, read off the loss without its
    factor) ends below `nats` per sample, all latent dimensions together, and does not rise.

    ## Why it matters
    The divergence is what the code can tell of a sample. At zero the decoder gets noise and answers with the average of
    the data, however long it trains. Most often the reconstruction error is averaged over the elements of a sample
    while the divergence is summed over latent dimensions, or the factor of the divergence is too large.

    ## What to try
    Sum the reconstruction error over the elements of a sample and average both terms over the batch alone; or give the
    divergence a smaller factor, or let the factor rise from zero.

    ## When it is wrong
    A decoder that needs no code, since a condition tells it everything.
    """
    graphs = [graph for graph in window.loss_graphs if graph.nats]
    if not graphs:
        raise Skip("no loss has the divergence of a normal distribution")
    values = np.array(graphs[0].nats)
    if len(values) < LEAST_LOOKS or window.count < LEAST_STEPS:
        raise Skip(f"the code was looked at fewer than {LEAST_LOOKS} times, or in fewer than {LEAST_STEPS} steps")
    part = max(len(values) // 3, 2)
    middle, last = values[part:-part], values[-part:]
    if not np.isfinite(last).all() or last.max() >= nats or np.median(last) > 1.5 * np.median(middle) + nats / 10:
        return None
    return window.finding(
        f"the code tells {np.median(last):.2g} nats of a sample: its divergence from the prior is driven to nothing",
        where=window.at(window.given(graphs[0].place, "term")),
        confidence=0.92,
        nats=values,
        highest=float(values.max()),
    )
