"""Activations that a loss compares with its targets, and the values that they can take."""

from collections.abc import Collection

from stetho.checks.evidence.chain import RESHAPING, Chain

INFINITE = float("inf")
RANGES = {
    "Sigmoid": (0.0, 1.0),
    "Hardsigmoid": (0.0, 1.0),
    "Softmax": (0.0, 1.0),
    "Tanh": (-1.0, 1.0),
    "Relu": (0.0, INFINITE),
    "Softplus": (0.0, INFINITE),
    "Exp": (0.0, INFINITE),
    "LogSoftmax": (-INFINITE, 0.0),
    "LogSigmoid": (-INFINITE, 0.0),
}
COMPARING = {
    "mse_loss": ("MseLoss",),
    "l1_loss": ("L1Loss", "Abs"),
    "smooth_l1_loss": ("SmoothL1Loss",),
    "huber_loss": ("HuberLoss",),
    "hand_written_difference": ("Sub", "Rsub"),
    "hand_written_distance": ("Abs",),
}
"""By which operation each of these losses compares; another one, of the same model, has other targets."""
MOVING = RESHAPING | {"Gather"}


def activation_before(chain: Chain, comparing: Collection[str]) -> str | None:
    """The activation whose result is compared with targets by one of these operations.

    >>> from stetho.checks.run.facts import Op
    >>> activation_before((Op("MseLoss"), Op("Gather"), Op("Tanh"), Op("Addmm")), ["MseLoss"])
    'Tanh'
    """
    # A difference of two things that are both learnt, as in a divergence, compares with no target.
    place = next((place for place, op in enumerate(chain) if op.op in comparing and (op.inputs or 1) == 1), None)
    if place is not None and chain[place].op == "Abs":
        # On a processor the L1 loss is the size of a difference; of anything else the size compares nothing.
        place = place + 1 if _is_difference(chain[place + 1 :]) else None
    before = None if place is None else next((op for op in chain[place + 1 :] if op.op not in MOVING), None)
    return before.op if before is not None and before.op in RANGES else None


def _is_difference(chain: Chain) -> bool:
    return bool(chain) and chain[0].op in COMPARING["hand_written_difference"] and (chain[0].inputs or 1) == 1


def range_text(least: float, most: float) -> str:
    """A range in words.

    >>> range_text(-1, 1), range_text(0, INFINITE), range_text(-INFINITE, 0)
    ('between -1 and 1', 'above 0', 'below 0')
    """
    if most == INFINITE:
        return f"above {least:g}"
    return f"below {most:g}" if least == -INFINITE else f"between {least:g} and {most:g}"
