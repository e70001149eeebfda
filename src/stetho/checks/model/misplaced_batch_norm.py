"""misplaced-batch-norm: batch norm on the answer itself, or on batches too small for it."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.ending import endings
from stetho.checks.window import Window
from stetho.findings.finding import Finding

NORMALISES = {"NativeBatchNorm", "CudnnBatchNorm", "MiopenBatchNorm"}


@check(severity="warning", explains=("loss-plateau", "stopped-early", "metric-not-following", "unreachable-target"))
def misplaced_batch_norm(window: Window, *, least: int = 2) -> Finding | None:
    """Batch norm where it hurts.

    ## What it finds
    Batch norm as the last operation of a model, with the loss right behind it; or batch norm that is trained with
    fewer than `least` samples in most batches.

    ## Why it matters
    On the answer it forces mean and spread of each batch to fixed values, whatever the inputs are. With one sample it
    subtracts the sample from itself.

    ## What to try
    Remove it after the last layer; for tiny batches use group norm or layer norm.

    ## When it is wrong
    Features that are normalised on purpose for a loss that compares them within the batch: such losses are not judged.
    """
    norms = [layer for layer in window.layers if layer.is_kind("BatchNorm") and layer.calls]
    if not norms:
        raise Skip("there is no batch norm")
    for graph, _loss, inside in endings(window):
        if inside and inside[0].op in NORMALISES:
            return window.finding(
                f"the model ends in batch norm, and the loss follows: outputs {list(graph.output_shape or ())}",
                where=window.at(window.use_line(norms[-1]), layer=norms[-1]),
                confidence=0.9,
                operations=", ".join(op.op for op in inside[:4]),
            )
    trained = {layer.model for layer in norms if layer.training is not False}
    for model in sorted(trained):
        passes = window.batches("train", model)
        sizes = passes["size"][(passes["training"] == 1) & np.isfinite(passes["size"])]
        if len(sizes) >= 5 and np.median(sizes) < least:
            return window.finding(
                f"batch norm is trained with batches of {np.median(sizes):.0f}",
                where=window.at(layer=next(layer for layer in norms if layer.model == model)),
                confidence=0.8,
                batch_size=float(np.median(sizes)),
            )
    return None
