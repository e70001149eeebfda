"""initial-loss-off: the first loss is far above that of guessing."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.guess import chance_of
from stetho.checks.evidence.outcome import ends_well
from stetho.checks.evidence.weights import trained_weights
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(severity="warning", explains=("loss-spike", "learning-rate-too-high", "saturated-activation"))
def initial_loss_off(window: Window, *, factor: float = 3.5, note: float = 2.5) -> Finding | None:
    """The loss at the start is far above chance.

    ## What it finds
    The first loss of a classification is more than `factor` times that of guessing all classes alike (ln C for C
    classes, ln 2 for yes and no); above `note` times it is a note.

    ## Why it matters
    A fresh model that knows nothing should lose as much as a guess. More means that it is very sure of wrong answers:
    its last layer is too large, its input is not scaled, or the loss is computed wrongly. The first part of the
    training goes into unlearning.

    ## What to try
    Scale the inputs, initialise the last layer with smaller weights, and set its bias to the frequencies of the
    classes.

    ## When it is wrong
    A model that was trained on other labels before; with loaded weights it is a note. So it is where hardly any error
    is left at the end, unless the program has set the last weights itself. Scales that make a loss hard on purpose;
    where the scores are made with the labels at hand, as by a margin, it says nothing.
    """
    rows = window.batches("train")
    seen = np.flatnonzero(np.isfinite(rows["loss"]) & (rows["step"] <= 2))
    if not len(seen):
        raise Skip("the first loss was not seen")
    loss = next((each for each in window.losses if each.call == rows["loss_call"][seen[0]]), None)
    chance = chance_of(loss) if loss is not None else None
    if loss is None or chance is None:
        raise Skip("not a classification with a mean loss")
    if loss.settings.get("knows_labels"):
        raise Skip("the scores are made with the labels at hand, as by a margin: they are below those of a guess")
    # Only the first: the next one may already show what a long step has done.
    first = float(rows["loss"][seen[0]])
    if not first > note * chance:
        return None
    made = _last_set(window)
    # Weights that the program has set are its own doing, however well it ends.
    is_clear = first > factor * chance and not window.loads and (made is not None or not ends_well(window))
    return window.finding(
        f"the first loss is {first:.3g}, {first / chance:.0f} times that of guessing ({chance:.3g})",
        where=window.at(made or loss.line),
        steps=(1, 1, 1),
        severity="warning" if is_clear else "note",
        confidence=0.6,
        first_loss=first,
        chance=chance,
    )


def _last_set(window: Window) -> str | None:
    """Where the program itself set the last weights, if it did."""
    names = [layer.name for layer in window.forward_order[-1:]]
    return next((weight.initialised for weight in trained_weights(window) if weight.layer in names), None)
