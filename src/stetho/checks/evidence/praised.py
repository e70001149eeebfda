"""Losses that are praise without a minus: the likelihood of what is right, the likeness of what belongs together."""

from stetho.checks.evidence.chain import RESHAPING, TURNING, is_negated, to_loss
from stetho.checks.evidence.compared import beginning, ending
from stetho.checks.run.facts import LossGraph
from stetho.checks.window import Window
from stetho.findings.finding import Finding

LOGARITHMS = ("LogSoftmax", "LogSigmoid", "LogSigmoidForward", "Log")
REDUCING = ("Mean", "Sum", "Add", "Mul", "Div", "Gather", "Index", "Sub", *TURNING)
OF_LIKELIHOODS = {*LOGARITHMS, *REDUCING, *RESHAPING, "Clamp", "ClampMin", "ClampMax", "Sigmoid", "Softmax", "Where"}
OPPOSITE = -0.5
"""A mean cosine below this is not reached by pushing apart what does not belong together: that ends near 0."""


def praised(window: Window, growth: float) -> Finding | None:
    """A loss that falls below 0 without end because its sign is wrong."""
    losses = window.loss_series().finite.values
    if len(losses) < 10:
        return None
    first, last = beginning(losses, 0.02), ending(losses)
    for graph in window.loss_graphs:
        if first < 0 and last < growth * first and _is_likelihood(graph):
            what = "a log-likelihood without a minus and falls without end"
        elif last < OPPOSITE and last < first - 0.3 and _is_likeness(graph):
            what = "a cosine similarity without a minus, which turns what belongs together into opposites"
        elif 0 < last < 0.5 * first <= 0.5 and _is_overlap(graph):
            what = "the overlap with the targets itself, as of a dice score, and is made as small as possible"
        else:
            continue
        return window.finding(
            f"the loss is {what}: from {first:.3g} to {last:.3g}",
            where=window.at(graph.place or window.line("backward")),
            confidence=0.9,
            loss=losses,
        )
    return None


def _is_likelihood(graph: LossGraph) -> bool:
    """Whether all that the loss is made of are logarithms of probabilities, none of them with a minus."""
    ways = [to_loss(graph.ops, place) for place, op in enumerate(graph.ops) if op.op in LOGARITHMS]
    # A probability times its own logarithm is an entropy, which may well be wanted small or large.
    is_entropy = any(op.op == "Mul" and (op.inputs or 1) > 1 for way in ways for op in way)
    is_plain = {op.op for op in graph.ops} <= OF_LIKELIHOODS
    is_known = bool(ways) and all(way[0] is graph.ops[0] for way in ways)
    return is_known and is_plain and not is_entropy and not any(is_negated(way) for way in ways)


def _is_overlap(graph: LossGraph) -> bool:
    """Whether the loss is a sum of products of probabilities and targets, over a sum that holds them too, as it is."""
    chances = ("Sigmoid", "Softmax")
    if not any(op.op in chances for op in (*graph.ops, *graph.output_ops)):
        return False
    for place, op in enumerate(graph.ops):
        if op.op != "Div" or (op.inputs or 1) < 2 or is_negated(to_loss(graph.ops, place)):
            continue
        above = next((number for number, each in enumerate(graph.ops) if each.feeds == place), None)
        products = (number for number, each in enumerate(graph.ops) if each.op == "Mul" and each.inputs == 1)
        for product in products:
            way = to_loss(graph.ops, product)
            on_the_way = [each.op for each in way[len(to_loss(graph.ops, place)) :]]
            if above is not None and graph.ops[above] in way and "Sum" in on_the_way[:-1] and not is_negated(way):
                return True
    return False


def _is_likeness(graph: LossGraph) -> bool:
    """Whether a product of vectors of length one is a term of the loss, without a minus."""
    if not any(op.op == "LinalgVectorNorm" for op in graph.ops):
        return False
    for place, op in enumerate(graph.ops):
        way = [each for each in to_loss(graph.ops, place) if each.op not in RESHAPING]
        names = [each.op for each in way]
        if op.op == "Div" and names[-3:] == ["Sum", "Mul", "Div"] and set(names[:-3]) <= {"Mean", "Sum", "Add", "Sub"}:
            return not is_negated(way)
    return False
