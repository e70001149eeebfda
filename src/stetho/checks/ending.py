"""The end of a model: the last operations inside it, when nothing but a known loss comes after them."""

from collections.abc import Iterator

from stetho.checks.facts import LossGraph, Op
from stetho.checks.window import Window

RESHAPES = {"View", "UnsafeView", "Reshape", "ReshapeAlias", "Transpose", "T", "Permute", "Squeeze", "Unsqueeze",
            "Clone", "Alias", "Slice", "Select", "Flatten", "ToCopy", "Expand"}  # fmt: skip
CLASSES = {"NllLoss", "NllLoss2D", "LogSoftmax"}
LOGITS = {"BinaryCrossEntropyWithLogits"}
NUMBERS = {"MseLoss", "L1Loss", "SmoothL1Loss", "HuberLoss"}
ENDS_OF_LOSSES = CLASSES | LOGITS | NUMBERS | {"Mean", "Sum", "Div", "Mul", "Neg", "BinaryCrossEntropy"}


def endings(window: Window) -> Iterator[tuple[LossGraph, str, tuple[Op, ...]]]:
    """Each loss that is computed straight from a model's output: its graph, its name, the model's last operations."""
    for graph in window.loss_graphs:
        names = [op.op for op in graph.ops if op.op not in RESHAPES]
        loss = next((name for name in names if name in CLASSES | LOGITS | NUMBERS), None)
        if loss is not None and set(names) <= ENDS_OF_LOSSES:
            reader = next((op for op in graph.ops if op.reads_output), None)
            # Of several models in a row, it is the last one that the loss reads.
            inside = reader.output_ops if reader is not None and reader.output_ops else graph.output_ops
            yield graph, loss, tuple(op for op in inside if op.op not in RESHAPES)
