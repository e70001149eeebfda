"""logits-as-probabilities: raw outputs where the loss needs probabilities or their logarithm."""

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.chain import SPOILED, Chain, all_chains, following
from stetho.checks.run.facts import Loss
from stetho.checks.window import Window
from stetho.findings.finding import Finding

BROKEN = ("divergence", "overflow", "non-finite-value", "wrong-loss-sign", "exploding-gradient")
LINEAR = ("Addmm", "Convolution", "Linear", "Baddbmm")
MAKE_LOGARITHMS = ("LogSoftmax", "Log", "LogSigmoid", "LogSigmoidForward", "Logsumexp", "Log1P", "XLogY", "Xlogy")
KEEP_ABOVE_ZERO = ("Clamp", "ClampMin", "Add", "Maximum")


@check(severity="error", explains=(*SPOILED, *BROKEN))
def logits_as_probabilities(window: Window) -> Finding | None:
    """Raw outputs are used as if they were probabilities.

    ## What it finds
    `nll_loss` or `kl_div` with raw outputs in place of log-probabilities (numbers above 0, and no logarithm in the
    graph), or a logarithm or `binary_cross_entropy` that is taken straight of the output of a linear layer, clamped or
    not; or `poisson_nll_loss` with `log_input=False` and rates below 0.

    ## Why it matters
    Without normalisation the loss has no lower bound (`nll_loss` is then minus one output), or it is flat wherever the
    output was clamped.

    ## What to try
    Use `cross_entropy` or `binary_cross_entropy_with_logits` on raw outputs, or apply `log_softmax` or `sigmoid` first.

    ## When it is wrong
    Densities, whose logarithm may be above 0.
    """
    if not window.loss_graphs and not window.losses:
        raise Skip("no loss was recorded")
    has_log = any(op.op in MAKE_LOGARITHMS for _, chain in all_chains(window) for op in chain)
    for loss in window.losses:
        if loss.call in ("nll_loss", "kl_div") and not has_log and _is_raw(loss):
            return window.finding(
                f"{loss.call} was given raw outputs from {loss.input_low:.2g} to {loss.input_high:.2g}; "
                "it needs log-probabilities, which are never above 0",
                where=window.at(loss.place),
                confidence=0.95,
                input_low=loss.input_low or 0.0,
                input_high=loss.input_high or 0.0,
            )
        if loss.call == "poisson_nll_loss" and loss.settings.get("log_input") is False and (loss.input_low or 0.0) < 0:
            return window.finding(
                f"poisson_nll_loss with log_input=False was given raw outputs from {loss.input_low:.2g} to "
                f"{loss.input_high or 0.0:.2g}; a rate is never below 0",
                where=window.at(loss.place),
                confidence=0.95,
                try_next="Leave `log_input` at True, and take the exponential of the output where you predict.",
                input_low=loss.input_low or 0.0,
            )
    return _logarithm(window)


def _logarithm(window: Window) -> Finding | None:
    """A logarithm in the loss that is taken of a raw output."""
    for graph, chain in all_chains(window):
        place = _log_of_raw(chain)
        if place is not None:
            return window.finding(
                f"the loss takes {chain[place].op} of the raw output of a linear layer",
                where=window.at(graph.place),
                confidence=0.88,
                operations=" < ".join(op.op for op in chain[: place + 4]),
            )
    return None


def _is_raw(loss: Loss) -> bool:
    low, high = loss.input_low, loss.input_high
    return low is not None and high is not None and high > 1e-3 and (low < 0 or high > 1 + 1e-6)


def _log_of_raw(chain: Chain) -> int | None:
    """The place of a logarithm, of one in the loss itself, that is taken of the output of a linear layer."""
    for place, op in enumerate(chain):
        if op.op not in ("Log", "BinaryCrossEntropy"):
            continue
        before, at = following(chain, place), place
        while before is not None and before.op in KEEP_ABOVE_ZERO and (before.inputs or 1) == 1:
            at = chain.index(before, at + 1)
            before = following(chain, at)
        clamped = any(each.op in ("Clamp", "ClampMin", "Maximum") for each in chain[place : at + 1])
        if before is not None and before.op in LINEAR and (clamped or op.op == "BinaryCrossEntropy"):
            return place
    return None
