"""Rates of counts: what `poisson_nll_loss` is given, and whether it is a rate already or the logarithm of one."""

from stetho.checks.evidence.chain import RESHAPING, Chain, all_chains
from stetho.checks.window import Window
from stetho.findings.finding import Finding

ABOVE_ZERO = ("Softplus", "Exp", "Relu", "Abs")
STEADYING = ("Add", "Clamp", "ClampMin")
"""What keeps a rate a little above zero."""


def rate_without_log(window: Window) -> Finding | None:
    """A rate of counts that `poisson_nll_loss` takes for its logarithm."""
    taken = [loss for loss in window.losses if loss.call == "poisson_nll_loss" and loss.settings.get("log_input")]
    rates = [loss for loss in taken if loss.input_low is not None and loss.input_low >= 0]
    before = next((op for _, chain in all_chains(window) if (op := _exponentiated(chain)) in ABOVE_ZERO), None)
    if not rates or before is None:
        return None
    return window.finding(
        f"poisson_nll_loss takes its input for the logarithm of a rate (log_input=True) and was given what a "
        f"{before.lower()} made positive, from {rates[0].input_low:.2g} to {rates[0].input_high or 0.0:.2g}",
        where=window.at(rates[0].place),
        confidence=0.95,
        try_next="Set `log_input=False`, or give it the raw output and take its exponential where you predict.",
        input_low=rates[0].input_low or 0.0,
        input_high=rates[0].input_high or 0.0,
    )


def _exponentiated(chain: Chain) -> str | None:
    """What the first exponential from the loss on is taken of."""
    way = [op for op in chain if op.op not in RESHAPING]
    place = next((place for place, op in enumerate(way) if op.op == "Exp"), len(way))
    return next((op.op for op in way[place + 1 :] if op.op not in STEADYING or (op.inputs or 1) > 1), None)
