"""The end of a model: the last operations inside it, when nothing but a known loss comes after them."""

from collections.abc import Iterator

from stetho.checks.run.facts import LossGraph, Op
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
        if loss is None and _is_difference(graph):
            yield graph, "MseLoss" if "Pow" in names else "L1Loss", _inside(graph)
        elif loss is not None and set(names) <= ENDS_OF_LOSSES:
            yield graph, loss, _inside(graph)


def _inside(graph: LossGraph) -> tuple[Op, ...]:
    reader = next((op for op in graph.ops if op.reads_output), None)
    # Of several models in a row, it is the last one that the loss reads.
    inside = reader.output_ops if reader is not None and reader.output_ops else graph.output_ops
    return tuple(op for op in inside if op.op not in RESHAPES)


def _is_difference(graph: LossGraph) -> bool:
    """Whether the loss is the mean of a power or size of the output minus something that has no gradient."""
    ops = [op for op in graph.ops if op.op not in RESHAPES]
    names = [op.op for op in ops]
    return (
        sorted(names) in (["Mean", "Pow", "Sub"], ["Abs", "Mean", "Sub"])
        and names[-1] == "Sub"
        and ops[-1].inputs == 1
        and ops[-1].reads_output is True
    )
