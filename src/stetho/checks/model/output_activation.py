"""output-activation: an activation between the last layer and a loss that wants logits."""

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.ending import CLASSES, LOGITS, endings
from stetho.checks.window import Window
from stetho.findings.finding import Finding

CUTS = {
    "Relu": "no logit below zero",
    "Hardtanh": "no logit beyond the limits",
    "Clamp": "no logit beyond the limits",
    "Tanh": "no logit beyond ±1",
    "Sigmoid": "no logit outside of 0 to 1",
    "Threshold": "no logit below the threshold",
    "HardtanhBackward": "no logit beyond the limits",
}


@check(
    severity="error",
    explains=("loss-plateau", "dead-relu", "initial-loss-off", "stopped-early", "too-small-model", "collapsed-output",
              "vanishing-gradient", "metric-not-following", "unreachable-target", "learning-rate-too-low"),
)  # fmt: skip
def output_activation(window: Window) -> Finding | None:
    """An activation after the last layer of a classifier.

    ## What it finds
    ReLU, tanh or sigmoid as the last operation of a model whose output goes straight into cross entropy, or ReLU or
    tanh before binary cross entropy with logits.

    ## Why it matters
    These losses want numbers of any size and sign. Between 0 and 1, a softmax over ten classes cannot get surer
    than 23 %; below a ReLU, logits that should be negative are zero and get no gradient.

    ## What to try
    Return the output of the last linear layer itself.

    ## When it is wrong
    Logits that are bounded on purpose are multiplied by a large number afterwards, and are left out.
    """
    judged = 0
    for graph, loss, inside in endings(window):
        if loss not in CLASSES | LOGITS or not inside:
            continue
        judged += 1
        last = inside[0].op
        if last not in CUTS or (loss in LOGITS and last == "Sigmoid"):
            continue
        layer = next(
            (each for each in reversed(window.forward_order) if each.kind.lower().startswith(last.lower())), None
        )
        wanted = "cross entropy" if loss in CLASSES else "binary cross entropy with logits"
        return window.finding(
            f"the model ends in {last.lower()}, and {wanted} follows: {CUTS[last]}",
            where=window.at(layer=layer) if layer is not None else window.at(window.end_line(last) or graph.line),
            confidence=0.93,
            operations=", ".join(op.op for op in inside[:4]),
            loss=window.loss_series().values,
        )
    if not judged:
        raise Skip("no classification loss is computed straight from a model's output")
    return None
