"""Losses of quantiles whose difference has the wrong sign: the opposite quantile is learnt."""

from stetho.checks.evidence.chain import elements
from stetho.checks.run.facts import LossGraph
from stetho.checks.window import Window
from stetho.findings.finding import Finding

CHOOSING = {"Maximum", "Max", "Where", "Mul"}


def turned_quantile(window: Window) -> Finding | None:
    """A formula that wants the target on the left of the minus, and has it on the right, or the other way round."""
    for graph in window.loss_graphs:
        wanted, is_first = graph.quantile.get("target_first"), _is_target_first(graph)
        if wanted is None or is_first is None or wanted == is_first:
            continue
        left, right = ("the target", "the prediction") if wanted else ("the prediction", "the target")
        return window.finding(
            f"this loss of a quantile is written for {left} minus {right}, and gets {right} minus {left}: where 90% of "
            "the targets should lie below, 10% will",
            where=window.at(str(graph.quantile.get("line") or graph.place)),
            confidence=0.93,
            try_next=f"Take {left} minus {right}.",
            loss=window.loss_series().values,
        )
    return None


def _is_target_first(graph: LossGraph) -> bool | None:
    """On which side of the minus the target stands; None where the graph does not tell."""
    ops = graph.ops
    found = {op.op for op in ops if op.op in ("Sub", "Rsub") and op.inputs == 1 and elements(op.shape) > 1}
    feeds = {ops[op.feeds].op for op in ops if op.op in found and op.feeds is not None}
    return found == {"Rsub"} if len(found) == 1 and feeds & CHOOSING else None
