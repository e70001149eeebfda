"""double-sigmoid: the loss applies a sigmoid to probabilities."""

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.chain import SPOILED, all_chains, following, last_in_model
from stetho.checks.window import Window
from stetho.findings.finding import Finding

APPLY_SIGMOID = ("BinaryCrossEntropyWithLogits", "LogSigmoid", "LogSigmoidForward", "Sigmoid")


@check(severity="error", explains=SPOILED)
def double_sigmoid(window: Window) -> Finding | None:
    """Sigmoid applied twice.

    ## What it finds
    In the graph of the loss, a sigmoid (`binary_cross_entropy_with_logits` has one inside) whose input comes from
    another sigmoid, or from a softmax.

    ## Why it matters
    The second sigmoid sees numbers between 0 and 1 and gives 0.5 to 0.73: a sure "no" cannot be said, and gradients are
    a fraction of what they should be.

    ## What to try
    Give the loss with logits the raw output of the last layer; apply sigmoid only where you read probabilities.

    ## When it is wrong
    A gate of the model that is passed through a sigmoid a second time on purpose.
    """
    if not window.loss_graphs:
        raise Skip("the graph of no loss was recorded")
    line = next((loss.place for loss in window.losses if loss.call == "binary_cross_entropy_with_logits"), None)
    for graph, chain in all_chains(window):
        for place, op in enumerate(chain):
            before = following(chain, place)
            if op.op not in APPLY_SIGMOID or before is None or before.op not in ("Sigmoid", "Softmax"):
                continue
            name = "binary_cross_entropy_with_logits" if op.op == APPLY_SIGMOID[0] else op.op.lower()
            return window.finding(
                f"{name} applies a sigmoid to the output of a {before.op.lower()} (shape {list(before.shape or ())})",
                where=window.at(line or graph.place, layer=last_in_model(window, "Sigmoid", "Softmax")),
                confidence=0.97,
                operations=" < ".join(each.op for each in chain[: place + 4]),
            )
    return None
