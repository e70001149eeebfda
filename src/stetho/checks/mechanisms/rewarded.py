"""Policies that are taught by rewards: whether what is rewarded becomes more likely, or less."""

from stetho.checks.evidence.chain import Chain, elements, is_negated, to_loss
from stetho.checks.run.facts import LossGraph
from stetho.checks.window import Window
from stetho.findings.finding import Finding

CHOOSING = ("Gather", "Index")
LOGARITHMS = ("LogSoftmax", "LogSigmoid", "LogSigmoidForward")
NEGATIVE = ("Pow", "BinaryCrossEntropyWithLogits", "NllLoss")
"""What a likelihood has in it with a minus: the squared distance from a mean, a cross entropy."""
LEAST_STEPS = 10


def rewarded(window: Window) -> Finding | None:
    """The likelihood of choices times their reward is in a loss without a minus."""
    if window.count < LEAST_STEPS or not window.optimizers:
        return None
    maximised = any(group.settings.get("maximize") is True for each in window.optimizers for group in each.groups)
    for graph in window.loss_graphs:
        turned = graph.reward.get("turned")
        if turned is None or all(_is_negative(way, bool(turned) != maximised) for way in _ways(graph)):
            continue
        return window.finding(
            f"the likelihood of choices times `{graph.reward.get('name')}` is made as small as possible: what is "
            "rewarded becomes rarer",
            where=window.at(str(graph.reward.get("line") or graph.place or window.line("backward"))),
            confidence=0.9,
            try_next="Put a minus before the product: the loss must fall when rewarded choices become more likely.",
            loss=window.loss_series().values,
        )
    return None


def _is_negative(way: Chain, turned: bool) -> bool:
    return (is_negated(way) + turned + (way[-1].op in NEGATIVE)) % 2 == 1


def _ways(graph: LossGraph) -> list[Chain]:
    """The ways from the loss to the likelihood of choices, through a product with what is constant."""
    for kinds, least in ((CHOOSING, 1), (LOGARITHMS, 1), (NEGATIVE, 2)):
        ways = [to_loss(graph.ops, place) for place, op in enumerate(graph.ops) if op.op in kinds]
        found = [way for way in ways if _is_weighed(way[:-1], least)]
        if found:
            return found
    return []


def _is_weighed(way: Chain, least: int) -> bool:
    """Whether there is a product with a constant, of so many elements, and none of two things that are learnt.

    What is learnt times its own logarithm is an entropy, and a single number weighs a whole term.
    """
    products = [op for op in way if op.op == "Mul"]
    is_entropy = any((op.inputs or 1) > 1 for op in products)
    return not is_entropy and any(elements(op.shape) >= least for op in products)
