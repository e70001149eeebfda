"""The ways of a signal on from a weight: what it meets, and which weights come one behind the other."""

from stetho.checks.evidence.depth import WeightAtDepth
from stetho.checks.evidence.weights import NORMS
from stetho.checks.run.facts import Edge
from stetho.checks.window import Window

SCALES_BACK = {"Sin", "Cos", "Div", "NativeLayerNorm", "NativeBatchNorm", "LinalgVectorNorm", "Mul"}


def is_plain(window: Window) -> bool:
    """Whether a signal goes from layer to layer alone, with no way past them and nothing that lifts it again."""
    has_norm = any(layer.is_kind(*NORMS) for layer in window.layers)
    return not has_norm and not any("Add" in edge.ops for edge in window.edges)


def is_rescaled(window: Window, one: WeightAtDepth) -> bool:
    """Whether what a layer gives is normalised or scaled by what comes next."""
    following = [window.layer(edge.target, edge.model) for edge in _edges_from(window, one)]
    is_norm = any(layer is not None and layer.is_kind(*NORMS) for layer in following)
    return is_norm or leads_to(window, one, SCALES_BACK)


def leads_to(window: Window, one: WeightAtDepth, ops: set[str]) -> bool:
    """Whether one of these operations stands on a way on from a layer."""
    return any(ops & set(edge.ops) for edge in _edges_from(window, one))


def count_in_a_row(window: Window, weights: list[WeightAtDepth]) -> int:
    """How many weights there are, those side by side as one."""
    places = set()
    for one in weights:
        layer = one.layer
        sources = {
            e.source for e in window.edges if layer is not None and (e.target, e.model) == (layer.name, layer.model)
        }
        places.add(frozenset(sources) or one.parameter.name)
    return len(places)


def _edges_from(window: Window, one: WeightAtDepth) -> list[Edge]:
    """The ways on from a layer, also behind dropout."""
    layer = one.layer
    if layer is None:
        return []
    edges = [e for e in window.edges if (e.source, e.model) == (layer.name, layer.model)]
    dropped = {e.target for e in edges if (t := window.layer(e.target, e.model)) is not None and t.is_kind("Dropout")}
    return edges + [e for e in window.edges if e.source in dropped and e.model == layer.model]
