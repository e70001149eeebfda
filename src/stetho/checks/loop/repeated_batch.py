"""repeated-batch: the same data in every step, though there is more."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.inputs import evaluated_samples, has_other_passes, order_line
from stetho.checks.evidence.outcome import error_left
from stetho.checks.evidence.symptoms import OVERFITTED
from stetho.checks.mechanisms.overlapping import overlapping
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(
    severity="error",
    explains=(*OVERFITTED, "stopped-early", "batch-too-large", "single-label-batches", "labels-sorted"),
)
def repeated_batch(window: Window, *, share: float = 0.95, least: int = 10) -> Finding | None:
    """The model sees the same batch again and again.

    ## What it finds
    One batch makes up more than `share` of at `least` so many training batches, while the data loader it comes from
    holds more than two batches. Or, without a loader, more than twice as many samples are evaluated, badly. Or each
    batch begins a sample or a few after the one before it, and not a whole batch.

    ## Why it matters
    The model learns that one batch by heart and nothing else; the loss falls as if all were well.

    ## What to try
    Iterate over the loader (`for batch in loader`) instead of taking its first batch, and look for a batch that is
    made outside of the loop.

    ## When it is wrong
    One batch on purpose, as a test of the model, from a loader that holds more. Training on all data at once looks the
    same; so without a loader it is found only where an evaluation of more samples shows that there are others.
    """
    batches = window.batches("train")
    hashes = batches["hash"]
    known = np.isfinite(hashes) & np.isfinite(batches["loader"])
    if known.sum() < least:
        return _without_loader(window, share, least)
    values, counts = np.unique(hashes[known], return_counts=True)
    loader = next((each for each in window.loaders if each.id == int(batches["loader"][known][0])), None)
    if loader is None or not loader.length or not loader.batch_size or loader.length <= 2 * loader.batch_size:
        return None
    if counts.max() < share * known.sum():
        return None
    return window.finding(
        f"{counts.max()} of {known.sum()} training batches are the same, out of {loader.length:,} samples "
        f"in batches of {loader.batch_size}",
        where=window.at((loader.begun if loader.passes < least else None) or loader.line),
        confidence=0.95,
        different_batches=float(len(values)),
    )


def _without_loader(window: Window, share: float, least: int) -> Finding | None:
    """The same batch all the time, with an evaluation of many more samples on which the model does badly."""
    rows, evaluated = window.batches("train"), evaluated_samples(window)
    rows = rows.where(np.isfinite(rows["hash"]) & np.isfinite(rows["size"]))
    slides = overlapping(window) if rows.count >= least else None
    if slides is not None:
        return slides
    if rows.count < least or not evaluated or has_other_passes(window):
        raise Skip(
            f"fewer than {least} training batches came from a loader, and no evaluation shows that there is more"
        )
    values, counts = np.unique(rows["hash"], return_counts=True)
    seen = window.batches("eval")["hash"]
    seen = seen[np.isfinite(seen)]
    # All nodes of a graph are given each time, and masks choose which of the answers count.
    if len(seen) and np.isin(seen, values).all():
        return None
    size, left = int(np.median(rows["size"])), error_left(window)
    if counts.max() < share * rows.count or size > evaluated / 2 or left is None or left < 0.2:
        return None
    return window.finding(
        f"{counts.max()} of {rows.count} training batches are the same {size} samples, "
        f"while {evaluated} are evaluated, with {left:.0%} of the error of a guess left",
        where=window.at(order_line(window)),
        severity="warning",
        confidence=0.85,
        different_batches=float(len(values)),
    )
