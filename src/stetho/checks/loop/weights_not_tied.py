"""weights-not-tied: two parameters begin equal and go separate ways."""

from stetho.checks.declare import Skip, check
from stetho.checks.facts import Parameter
from stetho.checks.window import Window
from stetho.findings.finding import Finding

MEASURES = ("param.min", "param.max", "param.mean", "param.std")


@check(severity="warning", explains=("stopped-early",))
def weights_not_tied(window: Window) -> Finding | None:
    """Weights that were meant to be one parameter are two.

    ## What it finds
    An embedding and a linear layer of the same shape whose weights are equal in the first step and differ later: the
    values were copied where the parameter should have been shared.

    ## Why it matters
    The output layer and the embedding drift apart: twice the parameters, half the training for each.

    ## What to try
    Assign the parameter itself: `head.weight = embedding.weight`.

    ## When it is wrong
    A copy that is only meant as an initialisation.
    """
    embeddings = [
        p for p in window.parameters if (_kind(window, p) or "").startswith("Embedding") and len(p.shape) == 2
    ]
    if not embeddings:
        raise Skip("there is no embedding")
    for embedding in embeddings:
        for other in window.parameters:
            if other is embedding or other.shape != embedding.shape or other.model != embedding.model:
                continue
            first, last = _equal_at(window, embedding, other)
            if first and not last:
                return window.finding(
                    f"{other.name} and {embedding.name} begin equal ({embedding.count:,} values) and differ at the end",
                    where=window.at(other.initialised or embedding.initialised, parameter=other),
                    confidence=0.9,
                )
    return None


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
