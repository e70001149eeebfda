"""samples-mixed: the answer for one sample depends on the other samples of the batch."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.facts import Layer
from stetho.checks.window import Window
from stetho.findings.finding import Finding

SEQUENTIAL = ("LSTM", "GRU", "RNN", "MultiheadAttention")


@check(
    severity="error",
    explains=("loss-plateau", "metric-not-following", "overfitting", "stopped-early", "scrambled-axes",
              "too-small-model", "hidden-state-carried"),
)  # fmt: skip
def samples_mixed(window: Window) -> Finding | None:
    """Samples of a batch leak into each other.

    ## What it finds
    A recurrent or attention layer that runs along the batch: it is not `batch_first`, but its first dimension is
    that of the batch, as the targets show.

    ## Why it matters
    The layer takes the samples of the batch for the steps of a sequence: each answer depends on its random neighbours,
    and the true sequence is never read.

    ## What to try
    Give the layer `batch_first=True`, or exchange the first two dimensions of its input with `transpose(0, 1)`.

    ## When it is wrong
    A batch of a single long sequence whose targets are those of its steps.
    """
    layers = [layer for layer in window.forward_order if layer.is_kind(*SEQUENTIAL) and not layer.is_kind("RNNCell")]
    known = [
        layer for layer in layers if layer.setting("batch_first") is not None and len(layer.output_shape or ()) == 3
    ]
    if not known:
        raise Skip("there is no recurrent or attention layer whose layout is known")
    for layer in known:
        first, second, _ = layer.output_shape or (0, 0, 0)
        if layer.setting("batch_first") != "False" or first == second or first != _batch(window, layer):
            continue
        if not any(loss.target_shape and loss.target_shape[0] == first for loss in window.losses):
            continue
        return _found(window, layer, first, second)
    return None


def _found(window: Window, layer: Layer, samples: int, length: int) -> Finding:
    return window.finding(
        f"{layer.name} is not batch_first and runs along the batch: {samples} samples are its steps, "
        f"{length} steps its samples",
        where=window.at(layer=layer),
        confidence=0.94,
        output=f"{list(layer.output_shape or ())}",
        samples=float(samples),
    )


def _batch(window: Window, layer: Layer) -> int | None:
    """The size of the first batch, to which the recorded shapes belong."""
    sizes = window.batches("train", layer.model)["size"]
    finite = sizes[np.isfinite(sizes)]
    return int(finite[0]) if len(finite) else None
