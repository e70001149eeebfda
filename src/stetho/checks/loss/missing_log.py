"""missing-log: probabilities where log-probabilities are due."""

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.chain import RESHAPING, SPOILED, Chain, all_chains, last_in_model, names
from stetho.checks.mechanisms.rates import rate_without_log
from stetho.checks.run.facts import Loss
from stetho.checks.window import Window
from stetho.findings.finding import Finding

LIKELIHOODS = ("nll_loss", "kl_div")
PICKING = frozenset(("Index", "Gather"))


@check(severity="error", explains=(*SPOILED, "wrong-loss-sign"))
def missing_log(window: Window) -> Finding | None:
    """The logarithm of the probabilities is missing.

    ## What it finds
    `nll_loss` or `kl_div` with probabilities between 0 and 1 as input, or a loss written by hand that is minus the
    probability of the right class with no logarithm on the way; `kl_div` with `log_target=True` and probabilities as
    targets; or `poisson_nll_loss` with `log_input=True`, its default, and a rate that a softplus, an exponential or a
    ReLU made positive.

    ## Why it matters
    Minus a probability is no likelihood: the gradient vanishes exactly where the model is wrong, so that learning
    hardly begins or stops at a bad place. The loss is a number between −1 and 0. A rate that the loss takes for its
    logarithm ends at the logarithm of the counts, and no rate below 1 can be said.

    ## What to try
    Use `log_softmax` before `nll_loss` and `kl_div`, or give raw outputs to `cross_entropy`. Of `poisson_nll_loss`, set
    `log_input=False` for a rate, or give it the raw output and take its exponential where you predict.

    ## When it is wrong
    An expected accuracy that is maximised on purpose.
    """
    if not window.loss_graphs and not window.losses:
        raise Skip("no loss was recorded")
    for loss in window.losses:
        if loss.call in LIKELIHOODS and _are_probabilities(loss):
            return window.finding(
                f"{loss.call} was given probabilities from {loss.input_low:.2g} to {loss.input_high:.2g}; "
                "it needs their logarithm",
                where=window.at(loss.place, layer=last_in_model(window, "Softmax", "Sigmoid")),
                confidence=0.97,
                input_low=loss.input_low or 0.0,
                input_high=loss.input_high or 0.0,
            )
        if loss.call == "kl_div" and loss.settings.get("log_target") and _are_targets_above_zero(loss):
            return window.finding(
                f"kl_div with log_target=True was given targets from {loss.target_low:.2g} to "
                f"{loss.target_high or 0.0:.2g}; logarithms of probabilities are never above 0",
                where=window.at(loss.place),
                confidence=0.95,
                try_next="Give it the logarithms of the targets, or set `log_target=False`.",
            )
    return rate_without_log(window) or _by_hand(window)


def _by_hand(window: Window) -> Finding | None:
    for graph, chain in all_chains(window):
        if _gives_probabilities(chain) or _picks_probability(chain):
            return window.finding(
                f"the loss ({graph.value or 0.0:.3g} at first) is minus the probability of a class, with no logarithm",
                where=window.at(graph.place),
                confidence=0.85,
                operations=" < ".join(op.op for op in chain[:8]),
            )
    return None


def _are_probabilities(loss: Loss) -> bool:
    low, high = loss.input_low, loss.input_high
    if low is None or high is None or not (low >= 0 and 0 < high <= 1 + 1e-6):
        return False
    return loss.rows_sum_to_one is True or loss.call == "nll_loss"


def _are_targets_above_zero(loss: Loss) -> bool:
    low, high = loss.target_low, loss.target_high
    return low is not None and high is not None and low >= 0 and high > 1e-3


def _gives_probabilities(chain: Chain) -> bool:
    """Whether `nll_loss` gets what a softmax gave, whatever lies between moving it about only."""
    found = [op.op for op in chain if op.op not in RESHAPING]
    return found[:2] == ["NllLoss", "Softmax"]


def _picks_probability(chain: Chain) -> bool:
    found = names(chain)
    if "Softmax" not in found or "Neg" not in found:
        return False
    # The choice of a class is a reshaping for all other questions.
    until = next(place for place, op in enumerate(chain) if op.op == "Softmax")
    way = {op.op for op in chain[:until]}
    return bool(way & PICKING) and way <= PICKING | {
        "Neg",
        "Mean",
        "Sum",
        "Div",
        "Squeeze",
        "View",
        "Unsqueeze",
        "Clone",
    }
