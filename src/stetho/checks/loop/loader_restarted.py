"""loader-restarted: an iteration over the data begins anew for every batch."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.symptoms import OVERFITTED
from stetho.checks.window import Window
from stetho.findings.finding import Finding

ALL_SEEN = 3.0
"""After random draws for so many passes, nearly every sample was drawn once."""


@check(
    severity="warning",
    explains=(*OVERFITTED, "labels-sorted", "repeated-batch", "single-label-batches", "stopped-early"),
)
def loader_restarted(window: Window, *, least: int = 10, batches: float = 3.0) -> Finding | None:
    """The data loader is begun anew for every step.

    ## What it finds
    A training loader that was begun as often as there are steps (at `least` so many), while one pass over it has at
    least `batches` batches. Or one that is left after two or three batches each time, of ten times as many.

    ## Why it matters
    `next(iter(loader))` in the loop, or a `break` after the first batch: without shuffling every step sees the first
    batch, with shuffling the data are drawn with repetition, and workers are started for every step.

    ## What to try
    Iterate with `for batch in loader`, or make the iterator once and begin anew only at its end.

    ## When it is wrong
    Drawing a random batch for each step on purpose: a note where the steps together are several passes over the data.
    """
    rows = window.batches("train")
    used = rows["loader"][np.isfinite(rows["loader"])]
    if not len(used) or window.count < least:
        raise Skip("no training batch came from a data loader")
    # Accumulation takes many batches for one step. Passes are counted in steps too that nobody looks at.
    backwards = window.steps["backwards"]
    taken = window.last_step * max(float(np.where(np.isfinite(backwards), backwards, 1).mean()), 1.0)
    for number in np.unique(used):
        loader = next((each for each in window.loaders if each.id == int(number)), None)
        if loader is None or not loader.length or not loader.batch_size:
            continue
        often = loader.passes >= max(0.9 * window.last_step, 0.3 * taken, least)
        in_one_pass, used_of_it = loader.length / loader.batch_size, taken / max(loader.passes, 1)
        is_left_early = loader.passes >= 0.5 * least and used_of_it <= min(3.0, 0.1 * in_one_pass)
        if (often and in_one_pass >= batches) or is_left_early:
            return window.finding(
                f"the loader was begun {loader.passes} times in {window.last_step} steps; "
                f"one pass has {loader.length / loader.batch_size:.0f} batches",
                where=window.at(loader.left or loader.begun or loader.line),
                severity="error" if not loader.shuffled else "warning" if taken < in_one_pass * ALL_SEEN else "note",
                confidence=0.95,
                passes=loader.passes,
            )
    return None
