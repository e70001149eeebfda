"""batch-size-one: every step learns from a single sample."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.inputs import data_line, trains_badly
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(
    severity="warning",
    needs_end=True,
    explains=("loss-spike", "learning-rate-too-high", "loss-plateau", "batch-norm-momentum", "divergence",
              "overflow", "misplaced-batch-norm", "dead-relu"),
)  # fmt: skip
def batch_size_one(window: Window, *, share: float = 0.9) -> Finding | None:
    """Batches of one sample.

    ## What it finds
    In at least the `share` of the steps the batch has one sample, and the model has batch normalisation or the loss
    does not fall. If all goes well, it is a note.

    ## Why it matters
    The gradient of one sample is mostly noise, and batch normalisation over one sample removes what tells it from
    others.

    ## What to try
    Use batches of 16 to 128 samples, or lower the learning rate.

    ## When it is wrong
    Online learning, whole pictures or sequences as one sample, and reinforcement learning with one episode for each
    step.
    """
    sizes = window.steps["batch_size"]
    known = sizes[np.isfinite(sizes)]
    if len(known) < 20:
        raise Skip("fewer than 20 batches of known size")
    backwards = window.steps["backwards"]
    if (known == 1).mean() < share or np.nanmedian(backwards) > 1:
        return None
    shapes = [shape for shape in window.batches("train")["shape"] if shape is not None]
    norms = [
        layer for layer in window.layers if layer.is_kind("BatchNorm") and layer.calls and layer.training is not False
    ]
    bad = bool(norms) or (trains_badly(window, 0.9) and bool(shapes) and len(shapes[0]) > 1)
    return window.finding(
        f"{(known == 1).mean():.0%} of {len(known)} steps learn from one sample"
        + (" through batch normalisation" if norms else ""),
        where=window.at(window.given(data_line(window), "batch_size"), layer=norms[0] if norms else None),
        severity="warning" if bad else "note",
        confidence=0.8,
        steps_of_one=float((known == 1).sum()),
    )
