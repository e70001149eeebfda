"""hidden-state-lost: a recurrent layer begins anew at every moment of a sequence, or at every piece of it."""

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.outcome import ends_well
from stetho.checks.evidence.symptoms import NOT_LEARNING
from stetho.checks.mechanisms.pieces import in_pieces
from stetho.checks.run.facts import Layer, Parameter
from stetho.checks.window import Window
from stetho.findings.finding import Finding

LEAST_LOOKS = 3


@check(severity="error", explains=NOT_LEARNING)
def hidden_state_lost(window: Window, *, gain: float = 0.2) -> Finding | None:
    """The state of a recurrent layer is never handed on.

    ## What it finds
    A recurrent layer or cell whose weights for the input get gradients, and whose weights for the state get a gradient
    of exactly zero in every look: each call makes one step from a state of zeros. Or one that begins every training
    step with zeros, though its input begins in memory where that of the step before ended, if the loss of a step would
    be lower by the share `gain` with the state that the pieces before it lead to: that is tried on a copy of the model.

    ## Why it matters
    Nothing is remembered. The model sees the last moment of a sequence alone, or each moment by itself.

    ## What to try
    Make the first state before the loop over time, and give the cell the state that it returned. A layer that runs over
    whole sequences needs them whole: with one step or one piece at a time, hand the state on as well, detached.

    ## When it is wrong
    A recurrent layer that is used as an ordinary one, for sequences of one step. With a good result it is a note.
    """
    lost = in_pieces(window, gain)
    if lost is not None:
        return lost
    judged = 0
    for layer in window.layers:
        if not layer.is_kind("RNN", "LSTM", "GRU") or not layer.calls:
            continue
        own = [p for p in window.parameters if p.model == layer.model and p.layer == layer.name]
        inward, onward = (_largest(window, own, name) for name in ("weight_ih", "weight_hh"))
        if inward is None or onward is None:
            continue
        judged += 1
        if onward == 0 and inward > 0:
            return _lost(window, layer)
    if not judged:
        raise Skip("there is no recurrent layer with measured gradients")
    return None


def _largest(window: Window, own: list[Parameter], name: str) -> float | None:
    """The largest gradient of these weights in all looks."""
    series = [window.parameter_stat("grad.absmax", p) for p in own if p.name.rpartition(".")[2].startswith(name)]
    known = [one.finite.values for one in series if one is not None and len(one.finite) >= LEAST_LOOKS]
    return float(max(values.max() for values in known)) if known else None


def _lost(window: Window, layer: Layer) -> Finding:
    return window.finding(
        f"the weights of {layer.name or layer.kind} for its state get a gradient of exactly zero, those for its input "
        "do not: every call begins with a state of zeros and makes one step",
        where=window.at(window.given(layer.called, "state"), layer=layer),
        severity="note" if ends_well(window) else None,
        confidence=0.95,
        calls=layer.calls,
    )
