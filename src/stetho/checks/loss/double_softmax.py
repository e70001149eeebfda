"""double-softmax: the loss applies a softmax to what is a softmax already."""

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.chain import RESHAPING, SPOILED, Chain, all_chains, following, last_in_model
from stetho.checks.run.facts import LossGraph, Op
from stetho.checks.window import Window
from stetho.findings.finding import Finding

NORMALISING = ("LogSoftmax", "Softmax", "Logsumexp")


@check(severity="error", explains=SPOILED)
def double_softmax(window: Window) -> Finding | None:
    """Softmax applied twice.

    ## What it finds
    In the graph of the loss, a softmax whose input comes from another softmax, whether the loss is a function of torch
    or written by hand; or a `cross_entropy` whose input is a probability distribution already.

    ## Why it matters
    A softmax squeezes its input into 0 to 1. A second one sees differences of at most 1, so no class can get close to
    probability 1, the loss cannot get near 0, and gradients are small where they matter.

    ## What to try
    Return the raw outputs of the last layer and give those to the loss; apply softmax only where you read
    probabilities.

    ## When it is wrong
    A distribution that is used as scores on purpose.
    """
    if not window.loss_graphs and not window.losses:
        raise Skip("no loss was recorded")
    given = next((loss for loss in window.losses if loss.call == "cross_entropy" and loss.rows_sum_to_one), None)
    for graph, chain in all_chains(window):
        for place, op in enumerate(chain):
            by_hand = _is_by_hand(graph, op)
            before = _before_shift(chain, place) if by_hand else following(chain, place)
            if (by_hand or op.op in NORMALISING) and before is not None and before.op == "Softmax":
                call = "cross_entropy" if given is not None else "the loss"
                layer, line = last_in_model(window, "Softmax"), given.line if given is not None else None
                if not any(before is each for each in graph.ops):
                    line = window.returns() or line
                return window.finding(
                    f"{call} applies a softmax to the output of a softmax (shape {list(before.shape or ())})",
                    where=window.at((layer.line if layer is not None else line) or graph.place, layer=layer),
                    confidence=0.98,
                    operations=" < ".join(each.op for each in chain[: place + 4]),
                )
    if given is None:
        return None
    return window.finding(
        f"cross_entropy was given rows that sum to 1, from {given.input_low:.2g} to {given.input_high:.2g}; "
        "it applies a softmax itself",
        where=window.at(given.line),
        confidence=0.93,
        input_low=given.input_low or 0.0,
        input_high=given.input_high or 0.0,
    )


def _is_by_hand(graph: LossGraph, op: Op) -> bool:
    """Whether this takes off the logarithm of a sum of exponentials: a log-softmax that is written out."""
    if op.op != "Sub":
        return False
    wanted = {place for place, each in enumerate(graph.ops) if each is op}
    for name in ("Log", "Sum", "Exp"):
        wanted = _feeding(graph, wanted, name)
    return bool(wanted)


def _feeding(graph: LossGraph, places: set[int], name: str) -> set[int]:
    """The operations of a name that feed one of these places, past those that only reshape."""
    found = {place for place, op in enumerate(graph.ops) if op.feeds in places and op.op == name}
    moved = {place for place, op in enumerate(graph.ops) if op.feeds in places and op.op in RESHAPING}
    return found | _feeding(graph, moved, name) if moved else found


def _before_shift(chain: Chain, place: int) -> Op | None:
    """The operation before this one, past the maximum that is taken off so that no exponential overflows."""
    return next((op for op in chain[place + 1 :] if op.op not in RESHAPING and op.op != "Sub"), None)
