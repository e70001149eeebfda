"""repeated-batch: the same data in every step, though there is more."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.symptoms import OVERFITTED
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
    holds more than two batches.

    ## Why it matters
    The model learns that one batch by heart and nothing else; the loss falls as if all were well.

    ## What to try
    Iterate over the loader (`for batch in loader`) instead of taking its first batch, and look for a batch that is
    made outside of the loop.

    ## When it is wrong
    One batch on purpose, as a test of the model, from a loader that holds more. Without a loader nothing is said,
    as training on all data at once looks the same.
    """
    batches = window.batches("train")
    hashes = batches["hash"]
    known = np.isfinite(hashes) & np.isfinite(batches["loader"])
    if known.sum() < least:
        raise Skip(f"{int(known.sum())} training batches came from a loader, {least} are needed")
    values, counts = np.unique(hashes[known], return_counts=True)
    loader = next((each for each in window.loaders if each.id == int(batches["loader"][known][0])), None)
    if loader is None or not loader.length or not loader.batch_size or loader.length <= 2 * loader.batch_size:
        return None
    if counts.max() < share * known.sum():
        return None
    return window.finding(
        f"{counts.max()} of {known.sum()} training batches are the same, out of {loader.length:,} samples "
        f"in batches of {loader.batch_size}",
        where=window.at(loader.line),
        confidence=0.95,
        different_batches=float(len(values)),
    )
