"""future-visible: a model that predicts the next element of a sequence is given it."""

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.experiments import CLEAR, experiment
from stetho.checks.evidence.symptoms import OVERFITTED
from stetho.checks.mechanisms.given_away import given_away
from stetho.checks.mechanisms.told import told_targets
from stetho.checks.run.facts import Loss
from stetho.checks.window import Window
from stetho.findings.finding import Finding, Where

DECODING = "TransformerDecoder"
ATTENTION = ("MultiheadAttention", "TransformerEncoder", "TransformerDecoder")


@check(severity="error", explains=(*OVERFITTED, "collapsed-attention", "split-leak", "unused-embedding-rows"))
def future_visible(window: Window) -> Finding | None:
    """The next element is predicted from itself.

    ## What it finds
    Targets that are the inputs one position later, or what a decoder is given beside them, and a model whose answers at
    earlier positions change when only later inputs do, as a copy of it showed. Or a decoder that is given the targets
    at their own positions, not one later. Or a number to predict that is the last step of its own input in each sample,
    or an element of it, as where a window is cut one step too late or the target's column is left in a table.

    ## Why it matters
    The answer is among the inputs, so the model learns to copy it. Loss and accuracy look splendid, in evaluation too,
    and what the model generates is rubbish: there is no next element to copy then.

    ## What to try
    Give the attention a causal mask (`is_causal=True`, or `masked_fill` with -inf above the diagonal), make recurrent
    layers go one way only, and pad convolutions on the left alone.

    ## When it is wrong
    A model that may see the whole sequence, and is never asked to continue one; an exercise in copying a number.
    """
    told = told_targets(window) or given_away(window)
    if told is not None:
        return told
    asked = [loss for loss in window.losses if loss.phase == "train" and _axis(loss) is not None]
    if not asked:
        raise Skip("the targets are not the inputs one position later")
    tried = experiment(window)
    axis = _axis(asked[0])
    given = asked[0].settings.get("target_next_of")
    moved = tried.future if axis == 1 else tried.future_along_first
    if isinstance(given, int) and axis is not None:
        moved = tried.futures.get((given, axis))
    if moved is None:
        raise Skip(tried.skipped or "no experiment showed what the answers depend on")
    if moved <= CLEAR:
        return None
    return window.finding(
        "the targets are the inputs one position later, and the model sees them: answers at earlier positions move by "
        f"{moved:.2g} of their spread when only later inputs change",
        where=_place(window, asked[0]),
        confidence=0.96,
        moved=moved,
    )


def _axis(loss: Loss) -> int | None:
    axis = loss.settings.get("target_next_along")
    return axis if isinstance(axis, int) else None


def _place(window: Window, loss: Loss) -> Where:
    """Where the future comes in: a layer that runs both ways, attention, a convolution; else where the model ends."""
    layers = [layer for layer in window.layers if window.is_trained(layer.model)]
    for layer in layers:
        if layer.setting("bidirectional") == "True":
            return window.at(layer=layer)
    # A decoder sees its own future; the encoder beside it may see everything.
    for layer in sorted(layers, key=lambda layer: not layer.is_kind(DECODING)):
        if layer.is_kind(*ATTENTION):
            return window.at(layer.called, layer=layer)
    for layer in layers:
        if any(one.op == "Softmax" and len(one.shape) > 2 and one.shape[-1] == one.shape[-2] for one in layer.between):
            return window.at(layer.mask or window.given(layer.called, "softmax"), layer=layer)
    for layer in layers:
        if layer.is_kind("Conv1d") and layer.setting("padding") is not None:
            return window.at(layer=layer)
    return window.at(window.returns() or loss.line)
