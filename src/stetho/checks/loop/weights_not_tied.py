"""weights-not-tied: two parameters begin equal and go separate ways."""

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.outcome import error_left
from stetho.checks.evidence.symptoms import OVERFITTED
from stetho.checks.mechanisms.twins import MEASURES, separated_twins
from stetho.checks.run.facts import Parameter
from stetho.checks.window import Window
from stetho.findings.finding import Finding

MUCH_LEFT = 0.3


@check(severity="warning", explains=("stopped-early", *OVERFITTED))
def weights_not_tied(window: Window) -> Finding | None:
    """Weights that were meant to be one parameter are two.

    ## What it finds
    An embedding and a linear layer of the same shape whose weights are equal in the first step and differ later: the
    values were copied where the parameter should have been shared. Or two towers that begin equal, are each given
    inputs of the same kind and go separate ways: a warning where much of the error of a guess is left, else a note.

    ## Why it matters
    The output layer and the embedding drift apart: twice the parameters, half the training for each. Two towers that
    compare things tell the sides apart, and not the things.

    ## What to try
    Assign the parameter itself: `head.weight = embedding.weight`. Call one tower for both sides.

    ## When it is wrong
    A copy that is only meant as an initialisation.
    """
    embeddings = [
        p for p in window.parameters if (_kind(window, p) or "").startswith("Embedding") and len(p.shape) == 2
    ]
    towers = _towers(window)
    if towers is not None:
        return towers
    if not embeddings:
        raise Skip("there is no embedding, and no two parts begin equal")
    for embedding in embeddings:
        for other in window.parameters:
            if other is embedding or other.shape != embedding.shape or other.model != embedding.model:
                continue
            first, last = _equal_at(window, embedding, other)
            if first and not last:
                return window.finding(
                    f"{other.name} and {embedding.name} begin equal ({embedding.count:,} values) and differ at the end",
                    where=window.at(_copied(window, embedding, other), parameter=other),
                    confidence=0.9,
                )
    return None


def _copied(window: Window, embedding: Parameter, other: Parameter) -> str | None:
    """Where the text of the program copies the one to the other, or else where its values were set."""
    layer = window.layer(other.layer, other.model)
    made = layer.constructed if layer is not None else None
    copied = window.given(made, f"copy of {embedding.layer}")
    return copied if copied != made else other.initialised or embedding.initialised


def _towers(window: Window) -> Finding | None:
    found, left = separated_twins(window), error_left(window)
    if found is None:
        return None
    names = [layer.name or f"model {layer.model}" for layer in (found.one, found.other)]
    rest = f"; {left:.0%} of the error of a guess is left" if left is not None else ""
    return window.finding(
        f"{names[0]} and {names[1]} begin equal ({found.count:,} values), are given inputs of one kind and differ at "
        f"the end{rest}",
        where=window.at(layer=found.other),
        severity="warning" if left is not None and left > MUCH_LEFT else "note",
        confidence=0.85,
        try_next="Use one module for both sides, not a copy of it.",
    )


def _kind(window: Window, parameter: Parameter) -> str | None:
    layer = window.layer(parameter.layer, parameter.model)
    return layer.kind if layer is not None else None


def _equal_at(window: Window, one: Parameter, other: Parameter) -> tuple[bool, bool]:
    """Whether two parameters agree in all measures at the first and at the last step."""
    pairs = [(window.parameter_stat(stat, one), window.parameter_stat(stat, other)) for stat in MEASURES]
    known = [(a, b) for a, b in pairs if a is not None and b is not None and len(a) and len(b)]
    if len(known) < len(MEASURES) or any(a.values[0] == 0 and b.values[0] == 0 for a, b in known[:2]):
        return False, False
    return all(a.first == b.first for a, b in known), all(a.last == b.last for a, b in known)
