"""A softmax over a dimension with a single place: every weight that it gives is 1, and its scores learn nothing."""

from stetho.checks.evidence.weights import weight_of
from stetho.checks.run.facts import Between, Layer
from stetho.checks.window import Window
from stetho.findings.finding import Finding

LEAST_LOOKS = 10
FEWEST_PLACES = 3


def alone(window: Window) -> Finding | None:
    """Scores of several places, one each, that are normalised each by itself: of a layer, or of an attention."""
    for edge in window.edges:
        source, target = (window.layer(name, edge.model) for name in (edge.source, edge.target))
        if source is None or target is None or "Softmax" not in edge.ops:
            continue
        # The last batch, whose shape a layer shows, may be of fewer samples than the first.
        given = (source.output_shape or ())[1:]
        one = next((one for one in target.between if one.op == "Softmax" and one.shape[1:] == given), None)
        if one is None or not _is_of_one_place(one) or not _learns_nothing(window, source):
            continue
        return window.finding(
            f"the softmax over the scores of {source.name} runs over dimension {one.dim} of {list(one.shape)}, which "
            "has one place: all its weights are 1, and the scores get no gradient",
            where=window.at(window.given(target.called, "softmax"), layer=source),
            confidence=0.95,
            try_next="Give the dimension of the places that compete, `dim=1` for scores of batch, places, 1.",
            dimension=one.dim or 0,
            shape=str(list(one.shape)),
        )
    return _unopposed(window)


def _unopposed(window: Window) -> Finding | None:
    """Products of one question with several places, normalised over the question: each place gets the weight 1.

    What learns by it is no witness here, since the same layers give what is averaged as well.
    """
    asking = {edge.model for edge in window.edges if _is_attention(edge.ops)}
    for layer in window.layers:
        one = next((one for one in layer.between if one.op == "Softmax" and _is_of_one_place(one)), None)
        if layer.model not in asking or one is None or one.dim == len(one.shape) - 1 or one.shape[-1] < FEWEST_PLACES:
            continue
        return window.finding(
            f"the softmax of an attention before {layer.name} runs over dimension {one.dim} of {list(one.shape)}, "
            f"which has one place: all {one.shape[-1]} places get the weight 1",
            where=window.at(window.given(layer.called, "softmax"), layer=layer),
            confidence=0.93,
            try_next="Give the dimension of the places that compete: `dim=-1` for scores of batch, questions, places.",
            dimension=one.dim or 0,
            shape=str(list(one.shape)),
        )
    return None


def _is_attention(ops: tuple[str, ...]) -> bool:
    """Whether a softmax stands between two products of matrices."""
    names = ["product" if op.startswith(("Bmm", "Mm")) else op for op in ops]
    place = names.index("Softmax") if "Softmax" in names else -1
    return place > 0 and "product" in names[:place] and "product" in names[place:]


def _is_of_one_place(one: Between) -> bool:
    """Whether a softmax has a single place to choose, while another dimension than that of the samples has several."""
    if one.dim is None or one.shape[one.dim] != 1:
        return False
    return any(size > 1 for place, size in enumerate(one.shape) if place not in (0, one.dim))


def _learns_nothing(window: Window, layer: Layer) -> bool:
    weight = weight_of(window, layer)
    gradient = window.parameter_stat("grad.absmax", weight) if weight is not None else None
    return gradient is not None and len(gradient) >= LEAST_LOOKS and bool((gradient.values == 0).all())
