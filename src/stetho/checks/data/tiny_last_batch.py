"""tiny-last-batch: batch normalisation meets a last batch of a sample or two."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.inputs import data_line
from stetho.checks.evidence.outcome import ends_well
from stetho.checks.window import Window
from stetho.findings.finding import Finding

TOO_FEW = "Expected more than 1 value per channel"


@check(
    severity="warning",
    explains=("loss-spike", "batch-norm-momentum", "overfitting", "evaluation-at-chance", "batch-size-one"),
)
def tiny_last_batch(window: Window, *, few: int = 3, usual: int = 16) -> Finding | None:
    """A last batch too small for batch normalisation.

    ## What it finds
    Training batches of at most `few` samples among batches of `usual` and more, in a model with batch normalisation
    over single values. With pictures, whose positions count as values too, it is a note, and so it is where little
    error is left at the end. Also, a program that ended because a batch had one sample.

    ## Why it matters
    Mean and deviation of two samples are noise. They distort this step, and the running statistics that evaluation
    uses.

    ## What to try
    Use `drop_last=True`, or a batch size that leaves a larger rest.

    ## When it is wrong
    With a small momentum and many batches the harm is small.
    """
    norms = [layer for layer in window.layers if layer.is_kind("BatchNorm", "SyncBatchNorm") and layer.calls]
    if not norms:
        raise Skip("the model has no batch normalisation")
    line = data_line(window)
    ended = window.info.get("exit", {}).get("error") or ""
    if TOO_FEW in ended:
        return window.finding(
            "the program ended because a batch of one sample met batch normalisation",
            where=window.at(line),
            severity="error",
            confidence=0.97,
            samples=1,
        )
    sizes = window.steps["batch_size"]
    known = sizes[np.isfinite(sizes)]
    if len(known) < 3 or np.median(known) < usual:
        return None
    tiny = np.flatnonzero(sizes <= few)
    if not len(tiny) or len(tiny) > 0.3 * len(known):
        return None
    flat = any(len(layer.output_shape or ()) == 2 for layer in norms)
    steps = window.steps["step"][tiny]
    return window.finding(
        f"{len(tiny)} of {len(known)} training batches have {int(sizes[tiny].min())} samples (the others "
        f"{int(np.median(known))}), and the model normalises over the batch",
        where=window.at(line, layer=norms[0]) if line else window.at(layer=norms[0]),
        steps=(int(steps[0]), int(steps[-1]), len(tiny)),
        severity="warning" if flat and not ends_well(window) else "note",
        confidence=0.85,
        smallest=float(sizes[tiny].min()),
        usual=float(np.median(known)),
    )
