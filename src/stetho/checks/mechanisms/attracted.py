"""Losses that only bring two outputs of a model together: any constant answer is best, if gradients reach both."""

from stetho.checks.evidence.chain import RESHAPING, Chain, elements
from stetho.checks.run.facts import LossGraph, Op
from stetho.checks.window import Window
from stetho.findings.finding import Finding

BRINGING_TOGETHER = ("Mul", "Mm", "Bmm", "Dot", "MseLoss")
SCALING = RESHAPING | {*BRINGING_TOGETHER, "Div", "Add", "Sub", "Rsub", "Neg", "Mean", "Sum", "LinalgVectorNorm",
                       "Norm", "ClampMin", "Clamp", "Maximum", "Diagonal", "Stack", "Cat"}  # fmt: skip
"""What an angle is made of; it holds nothing that would keep samples apart."""
ALIKE = 0.2
"""With so small a part of their size that differs, two answers to different samples have a cosine of 0.96 or more."""


def attracts_only(window: Window) -> bool:
    """Whether all losses are the angle between two answers to the same sample, with gradients to both."""
    return bool(window.loss_graphs) and all(_is_an_angle(graph) for graph in window.loss_graphs)


def collapsed_by_attraction(window: Window, share: float, first: float) -> Finding | None:
    """Answers that became alike for all samples under such a loss; the shares are what differs of their size."""
    if not share < min(ALIKE, 0.5 * first) or not attracts_only(window):
        return None
    # What one side is made of the other is predicted, and is to be given back as it is.
    line = window.returns() if any(_predicts(graph) for graph in window.loss_graphs) else None
    return window.finding(
        f"the loss only brings two outputs together, gradients go to both of them, and what differs from sample to "
        f"sample has gone from {first:.1%} to {share:.1%} of their size: the same answer to any input is best",
        where=window.at(line or window.loss_line()),
        severity="error",
        confidence=0.93,
        try_next="Detach one of the two sides, as SimSiam and BYOL do, or keep different samples apart: negatives, a "
        "variance term, a normalisation over the batch.",
        loss=window.loss_series().values,
    )


def _is_an_angle(graph: LossGraph) -> bool:
    ops = graph.ops
    return (
        all(op.op in SCALING for op in ops)
        and (any("Norm" in op.op for op in ops) or all(side[0].op == "Div" for side in _sides(graph)))
        and any(_is_of_two(op) for op in ops)
        and all(_picks_pairs(op, ops) for op in ops if op.op == "Mm")
        and not any(op.op in ("Sub", "Rsub") and (op.inputs or 1) > 1 for op in ops)
        and not any(op.op == "MseLoss" and op.inputs != 2 for op in ops)
    )


def _sides(graph: LossGraph) -> list[Chain]:
    """The last operations of the outputs that the loss reads."""
    return [side for op in graph.ops if op.reads_output and (side := op.output_ops or graph.output_ops)]


def _predicts(graph: LossGraph) -> bool:
    """Whether one output of a call is made of another one, as a prediction of it is."""
    kinds = [[(op.op, op.shape) for op in side] for side in _sides(graph)]
    return any(
        len(short) > 1 and long[at : at + len(short)] == short[: len(long) - at]
        for long in kinds
        for short in kinds
        for at in range(1, len(long) - 1)
    )


def _is_of_two(op: Op) -> bool:
    """Whether it compares, feature by feature, two things that are learnt."""
    return op.op in BRINGING_TOGETHER and op.inputs == 2 and (elements(op.shape) > 1 or op.op == "MseLoss")


def _picks_pairs(op: Op, ops: tuple[Op, ...]) -> bool:
    """Whether of all pairs only those of a sample with itself are used."""
    return op.feeds is not None and ops[op.feeds].op == "Diagonal"
