"""misplaced-dropout: dropout on the answer itself."""

from stetho.checks.declare import Skip, check
from stetho.checks.ending import endings
from stetho.checks.facts import Layer
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(
    severity="error",
    explains=("loss-plateau", "stopped-early", "initial-loss-off", "metric-not-following", "dead-relu",
              "overfitting", "divergence", "overflow", "loss-spike", "unreachable-target", "excessive-dropout"),
)  # fmt: skip
def misplaced_dropout(window: Window) -> Finding | None:
    """Dropout after the last layer.

    ## What it finds
    A model whose last operation is dropout, with the loss right behind it.

    ## Why it matters
    Parts of each answer are set to zero at random and the rest is scaled up: the loss is that of a wrong answer,
    whatever the model has learnt.

    ## What to try
    Move the dropout before the last linear layer.

    ## When it is wrong
    A model whose output is a hidden state for another one; there the loss is not right behind it.
    """
    judged = 0
    for graph, _loss, inside in endings(window):
        judged += 1
        layer = _dropout_at_end(window)
        if not inside or (inside[0].op != "NativeDropout" and (layer is None or inside[0].op != "Mul")):
            continue
        rate = layer.number("p") if layer is not None else None
        return window.finding(
            "the model ends in dropout" + (f" with p={rate:g}" if rate else "") + ", and the loss follows",
            where=window.at(layer=layer) if layer is not None else window.at(graph.line),
            confidence=0.93,
            p=float("nan") if rate is None else rate,
            operations=", ".join(op.op for op in inside[:4]),
        )
    if not judged:
        raise Skip("no known loss is computed straight from a model's output")
    return None


def _dropout_at_end(window: Window) -> Layer | None:
    """A dropout layer that feeds no other layer."""
    feeding = {edge.source for edge in window.edges}
    dropouts = [layer for layer in window.forward_order if layer.is_kind("Dropout") and layer.name not in feeding]
    return next((layer for layer in dropouts if (layer.number("p") or 0) > 0), None)
